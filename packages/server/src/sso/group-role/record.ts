/** What the groups of an identity provider give, as it is shown. */
import Type from 'typebox'
import { choice, nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'

export const GroupMappingAnswer = strictObject({
  groups: Type.Array(
    strictObject({
      id: Uuid,
      name: Type.String(),
      externalId: nullable(Type.String()),
      from: choice(['claim', 'scim'] as const, { description: 'Who says who is in it: a sign-in, or the directory' }),
      members: Type.Integer({ minimum: 0 }),
      roles: Type.Array(
        strictObject({
          id: Uuid,
          name: Type.String(),
          inForce: Type.Boolean({
            description:
              'Whether the person who wrote it may still give the Role; if not, it gives it to no more people',
          }),
        }),
      ),
    }),
  ),
  unmapped: Type.Array(Type.String(), { description: 'Names of up to 200 groups of the directory that give nothing' }),
})
