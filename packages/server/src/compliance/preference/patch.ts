/** What a change of a preference may say. */
import Type, { type Static } from 'typebox'
import { nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'
import { DIGEST_MODES } from '../notification/preference.js'

const TARGET_USERS_MAX = 100

export const PreferencePatch = strictObject({
  notifyOnBlock: Type.Optional(Type.Boolean({ description: 'Only true: blocks are always told' })),
  notifyOnWarning: Type.Optional(Type.Boolean()),
  emailEnabled: Type.Optional(Type.Boolean()),
  digestMode: Type.Optional(Type.Enum([...DIGEST_MODES])),
  targetUsers: Type.Optional(
    nullable(
      Type.Array(Uuid, { maxItems: TARGET_USERS_MAX, description: 'Members; empty or null for administrators' }),
    ),
  ),
  webhookUrl: Type.Optional(
    nullable(Type.String({ maxLength: 500, description: 'https; empty or null takes it away' })),
  ),
  webhookSecret: Type.Optional(
    nullable(
      Type.String({
        maxLength: 255,
        description: 'Signs deliveries; 8 to 255 characters, never shown. Left out it stays; empty or null clears it',
      }),
    ),
  ),
})

export type PreferencePatch = Static<typeof PreferencePatch>
