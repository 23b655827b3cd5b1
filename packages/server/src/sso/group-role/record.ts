/** The group mappings of an identity provider as the API shows them. */
import Type from 'typebox'
import { choice, nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'

export const GroupMappingAnswer = strictObject({
  groups: Type.Array(
    strictObject({
      id: Uuid,
      name: Type.String(),
      externalId: nullable(Type.String()),
      from: choice(['claim', 'scim'] as const, {
        description: 'The source of its members: a sign-in, or the directory',
      }),
      members: Type.Integer({ minimum: 0 }),
      roles: Type.Array(
        strictObject({
          id: Uuid,
          name: Type.String(),
          inForce: Type.Boolean({
            description: 'Whether its author can still give the Role; if not, no more people get it',
          }),
        }),
      ),
    }),
  ),
  revision: Type.Integer({ minimum: 1, description: 'Of the mapping: it grows with each change' }),
  unmapped: Type.Array(Type.String(), { description: 'Names of up to 200 groups of the directory without a mapping' }),
})
