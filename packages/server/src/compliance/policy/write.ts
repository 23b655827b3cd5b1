/**
 * Writes a policy with its rules. A change that affects the rules in force increases the stamp and queues scans of the
 * stored records, in the same transaction.
 */
import { and, eq, inArray, isNull, or } from 'drizzle-orm'
import { type FieldIssue, Refusal } from '../../runtime/errors.js'
import { brokenUniqueConstraint } from '../../runtime/store/database-error.js'
import type { Db, Tx } from '../../runtime/store/db.js'
import { insertNew } from '../../runtime/store/prepared.js'
import { complianceTables, type PolicyRow } from '../tables.js'

export const RULES_MAX = 200

export const liveKey = (name: string, version: string): string => `${name}\n${version}`

const policyTaken = (cause?: unknown): Refusal =>
  new Refusal('DUPLICATE_ENTRY', 'the organization has a policy of this name and version', {
    details: { field: 'name' },
    cause,
  })

/** @throws Refusal 409 `DUPLICATE_ENTRY`. */
export async function insertPolicy(tx: Tx, row: PolicyRow): Promise<void> {
  const { policies: t } = complianceTables(tx)
  if (!(await insertNew(tx, t, row))) throw policyTaken()
}

/** @throws Refusal 409 `DUPLICATE_ENTRY`. */
export async function updatePolicyRow(tx: Tx, row: PolicyRow): Promise<void> {
  const { policies: t } = complianceTables(tx)
  try {
    await tx
      .update(t)
      .set(row)
      .where(and(eq(t.id, row.id), eq(t.orgId, row.orgId)))
  } catch (error) {
    if (brokenUniqueConstraint(error) === null) throw error
    throw policyTaken(error)
  }
}

interface Wanted {
  readonly rules?: readonly string[]
  readonly ruleIds?: readonly string[]
}

/**
 * The ids of the rules that the caller lists by name or id; null when the request has neither field.
 * @throws Refusal 400 with `details.unknown` for entries that are not live rules of the organization.
 */
export async function membersWanted(db: Db, orgId: string, { rules, ruleIds }: Wanted): Promise<string[] | null> {
  if (rules === undefined && ruleIds === undefined) return null
  const { rules: t } = complianceTables(db)
  const [names, ids] = [rules ?? [], ruleIds ?? []]
  if (names.length + ids.length === 0) return []
  // guard: a-policy-lists-rules-of-its-own-organization
  const found = await db
    .select({ id: t.id, name: t.name })
    .from(t)
    .where(and(eq(t.orgId, orgId), isNull(t.deletedAtMs), or(inArray(t.id, [...ids]), inArray(t.name, [...names]))))
  const byName = new Map(found.map(({ id, name }) => [name, id]))
  const known = new Set(found.map(({ id }) => id))
  const issues: FieldIssue[] = []
  const unknown: string[] = []
  const note = (path: string, what: string) => {
    unknown.push(what)
    issues.push({ path, message: `is not a rule of the organization: ${what}`, code: 'unknown_rule' })
  }
  for (const [index, name] of names.entries()) if (!byName.has(name)) note(`/body/rules/${index}`, name)
  for (const [index, id] of ids.entries()) if (!known.has(id)) note(`/body/ruleIds/${index}`, id)
  if (issues.length > 0) {
    throw new Refusal(
      'VALIDATION_ERROR',
      `${unknown.length === 1 ? '1 rule is' : `${unknown.length} rules are`} not known`,
      { details: { issues, unknown } },
    )
  }
  return [...new Set([...names.map((name) => byName.get(name) as string), ...ids])]
}
