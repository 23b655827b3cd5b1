/** The settings of an organization's delivery metrics. */
import Type from 'typebox'
import { name } from '../../runtime/operation/name.js'

export const SETTINGS_FIELDS = {
  incidentWindowHours: Type.Integer({
    minimum: 1,
    maximum: 720,
    description: 'How long after a deployment an incident can be attributed to it',
  }),
  headlineEnvironments: Type.Array(name(1, 255), {
    minItems: 1,
    maxItems: 20,
    description: 'The environment of `overallLevel` and the time to restore',
  }),
  rollbackFails: Type.Boolean({
    description: 'An older commit that is deployed again within 24 hours counts as a failure of the one it replaced',
  }),
  reworkRefs: Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
    maxItems: 20,
    description: 'Refs with this prefix are rework',
  }),
}
