/** The fields of a change to a preference. */
import Type, { type Static } from 'typebox'
import { nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'
import { DIGEST_MODES } from './record.js'

const TARGET_USERS_MAX = 100

export const PreferencePatch = strictObject({
  notifyOnBlock: Type.Optional(Type.Boolean({ description: 'Only true: blocks are always notified' })),
  notifyOnWarning: Type.Optional(Type.Boolean()),
  emailEnabled: Type.Optional(Type.Boolean()),
  digestMode: Type.Optional(Type.Enum([...DIGEST_MODES])),
  targetUsers: Type.Optional(
    nullable(
      Type.Array(Uuid, { maxItems: TARGET_USERS_MAX, description: 'Members; empty or null for administrators' }),
    ),
  ),
  webhookUrl: Type.Optional(nullable(Type.String({ maxLength: 500, description: 'https; empty or null removes it' }))),
  webhookSecret: Type.Optional(
    nullable(
      Type.String({
        maxLength: 255,
        description:
          'Signs deliveries; 8 to 255 characters, never shown. Does not change when left out; empty or null clears it',
      }),
    ),
  ),
})

export type PreferencePatch = Static<typeof PreferencePatch>
