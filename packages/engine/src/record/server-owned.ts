/** The fields of a rule that the server writes, not an author. Apart from the shapes, which every rule set needs. */
import type { Rule } from '../types.js'

const serverOwned: ReadonlySet<string> = new Set<keyof Rule>([
  'orgId',
  'forkedFromRuleId',
  'version',
  'createdAt',
  'createdBy',
  'updatedAt',
  'updatedBy',
  'deletedAt',
  'deletedBy',
  'purgeAfter',
  'source',
])

export const isServerOwned = (key: string): boolean => serverOwned.has(key)
