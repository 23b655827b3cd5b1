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
    examples: ['/reports'],
  }),
)
/** Of a program on the person's machine. */
export const OfProgram = {
  loopback: Type.Optional(
    Type.String({
      maxLength: 100,
      pattern: '^http://(127\\.0\\.0\\.1|\\[::1\\]):[0-9]{1,5}/[A-Za-z0-9/_-]{0,60}$',
      'x-says': 'must be an address of this machine, such as `http://127.0.0.1:49152/`',
      description: 'Of a program: where it listens',
    }),
  ),
  challenge: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9_-]{43}$',
      'x-says': 'must be the SHA-256 of a verifier, in base64url',
      description: 'Of a program: SHA-256 of the verifier that it keeps',
    }),
  ),
}
export const AuthorizeAnswer = strictObject({ url: Type.String({ description: 'Open it in the browser' }) })
export const ActionOfStepUp = Type.Optional(
  Type.String({
    pattern: '^[a-z][a-z0-9.-]{1,99}$',
    'x-says': 'must be an operationId',
    description: 'Of a step-up: the one operation that it is for',
  }),
)
