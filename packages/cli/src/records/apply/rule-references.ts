/**
 * Converts rules to the form that the server stores: instants in one format, and ids for the rules that they depend on.
 */
import { isRecord } from '../../input/record.js'
import { UUID } from '../../input/uuid.js'
import type { Session } from '../../remote/session.js'
import { findRecord } from '../keys.js'
import type { JsonObject } from '../resource.js'
import { rules } from '../rules.js'

export function completeRule(fields: JsonObject): JsonObject {
  const instants = ['effectiveFrom', 'effectiveUntil'].flatMap((name) => {
    const value = fields[name]
    const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN
    return Number.isNaN(ms) ? [] : [[name, new Date(ms).toISOString()] as const]
  })
  return { ...fields, ...Object.fromEntries(instants) }
}

/** The rules that the conditions depend on, by the names in the document. */
export const neededRules = ({ conditions }: JsonObject): string[] =>
  (Array.isArray(conditions) ? conditions : []).flatMap((condition: unknown) =>
    isRecord(condition) && typeof condition.dependsOnRule === 'string' ? [condition.dependsOnRule] : [],
  )

/** Keeps a name that it does not find: the server reports what is wrong with it. */
export async function resolveRule(fields: JsonObject, session: Session): Promise<JsonObject> {
  if (!Array.isArray(fields.conditions)) return fields
  const conditions: unknown[] = []
  for (const condition of fields.conditions) {
    const name = isRecord(condition) ? condition.dependsOnRule : undefined
    const found = typeof name !== 'string' || UUID.test(name) ? null : await findRecord(session, rules, { name })
    conditions.push(found === null ? condition : { ...(condition as JsonObject), dependsOnRule: found.id })
  }
  return { ...fields, conditions }
}
