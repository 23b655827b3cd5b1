/**
 * The fields of a rule that the server writes, not an author. A separate file, because only authoring needs them; every
 * rule set needs the shapes.
 */
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
