/** Rules as the server stores them: instants in one form, and the rules that they depend on by their ids. */
import { isRecord } from '../../input/record.js'
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

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The rules that the conditions depend on, by what the document calls them. */
export const neededRules = ({ conditions }: JsonObject): string[] =>
  (Array.isArray(conditions) ? conditions : []).flatMap((condition: unknown) =>
    isRecord(condition) && typeof condition.dependsOnRule === 'string' ? [condition.dependsOnRule] : [],
  )

/** A name that is not known stays: the server says what is wrong with it. */
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
