/**
 * A number for each organization that increases with every change of its rules, in the transaction of the change. A
 * process compares it before each use of a cached rule set, so a change takes effect in every replica as soon as it is
 * committed.
 */
import { inArray, type Placeholder, sql } from 'drizzle-orm'
import { SYSTEM_ORG_ID } from '../runtime/ids.js'
import type { Db, Tx } from '../runtime/store/db.js'
import { prepared } from '../runtime/store/prepared.js'
import { complianceTables } from './tables.js'

/** Which organizations' rules apply to an organization: its own and those of its parent. */
export interface Held {
  readonly orgId: string
  readonly parentOrgId: string | null
  /** Set for a scan of the system organization that its setting allows: its own rules are evaluated. */
  readonly isSystemScan?: boolean
}

/**
 * Serializes changes of one organization's rules, so that what a change has checked (names, dependencies) still holds
 * when it is written.
 */
export async function lockRules(tx: Tx, orgId: string): Promise<void> {
  // SQLite has a single writer: a write transaction already excludes all others.
  if (tx.database === 'sqlite') return
  const { ruleSetStamps: t } = complianceTables(tx)
  const lock = () => tx.rows(sql`SELECT 1 FROM ${t} WHERE ${t.orgId} = ${orgId} FOR UPDATE`)
  // When the row exists, nothing is written, so that a change without effect leaves no trace.
  if ((await lock()).length > 0) return
  await tx.insert(t).values({ orgId, stamp: 1 }).onConflictDoNothing()
  await lock()
}

/**
 * Keeps a rule from being deleted while any organization requests exemptions from it: deleting the rule then also ends
 * such a request. An advisory lock is needed because only the owner of a rule can lock its row.
 */
export async function holdRules(tx: Tx, ruleIds: readonly string[], how: 'shared' | 'alone'): Promise<void> {
  if (tx.database === 'sqlite') return
  const lock = sql.raw(how === 'alone' ? 'pg_advisory_xact_lock' : 'pg_advisory_xact_lock_shared')
  for (const id of [...new Set(ruleIds)].sort()) {
    await tx.rows(sql`SELECT ${lock}(hashtextextended(${`plumbline.rule.${id}`}, 0))`)
  }
}

/** Increases the stamp, after a change of the rules that apply to the organization, its teams or its subscribers. */
export async function stampRules(tx: Tx, orgId: string): Promise<void> {
  const { ruleSetStamps: t } = complianceTables(tx)
  await tx
    .insert(t)
    .values({ orgId, stamp: 1 })
    .onConflictDoUpdate({ target: t.orgId, set: { stamp: sql`${t.stamp} + 1` } })
}

const stampsOf = prepared((db, value: (name: 'own' | 'parent' | 'system') => Placeholder) => {
  const { ruleSetStamps: t } = complianceTables(db)
  return db
    .select()
    .from(t)
    .where(inArray(t.orgId, [value('own'), value('parent'), value('system')]))
})

/** A text that changes as soon as any rule that applies to the organization changes. */
export async function readStamps(db: Db, { orgId, parentOrgId }: Held): Promise<string> {
  const rows = await stampsOf(db, { own: orgId, parent: parentOrgId ?? orgId, system: SYSTEM_ORG_ID })
  const stamp = (id: string | null): number => rows.find((row) => row.orgId === id)?.stamp ?? 0
  // guard: the-stamp-of-the-parent-counts
  return `${stamp(orgId)}.${parentOrgId ?? ''}.${stamp(parentOrgId)}.${stamp(SYSTEM_ORG_ID)}`
}
