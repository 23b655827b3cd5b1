/** What the beginnings of sign-ins have in common. */
import Type from 'typebox'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'

export const onOrg = Type.Object({ orgId: Type.String({ maxLength: 100 }) })
export const WhichProvider = Type.Optional(Uuid)
export const ReturnTo = Type.Optional(
  Type.String({
    maxLength: 500,
    pattern: '^/([!-.0-[\\]-~][!-~]*)?$',
    'x-says': 'must be a path of this server',
    description: 'Where the browser goes afterwards: a path of this server',
  }),
)
export const AuthorizeAnswer = strictObject({ url: Type.String({ description: 'Open it in the browser' }) })
