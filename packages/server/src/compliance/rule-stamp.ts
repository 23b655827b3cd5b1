/**
 * A number for each organization that grows with every change of its rules, in the transaction of the change. Anyone who holds a
 * compiled rule set compares it before each use: a change holds in every replica from the moment it is committed.
 */
import { inArray, type Placeholder, sql } from 'drizzle-orm'
import { SYSTEM_ORG_ID } from '../runtime/ids.js'
import type { Db, Tx } from '../runtime/store/db.js'
import { prepared } from '../runtime/store/prepared.js'
import { complianceTables } from './tables.js'

/** Whose rules an organization is held to. */
export interface Held {
  readonly orgId: string
  readonly parentOrgId: string | null
  /** A scan of the system organization that its setting allows: its own rules are evaluated. */
  readonly isSystemScan?: boolean
}

/**
 * Makes changes of one organization's rules take turns, so that what one has checked (names, dependencies) still holds when
 * it is written.
 */
export async function lockRules(tx: Tx, orgId: string): Promise<void> {
  // SQLite has one writer: a write already holds everything.
  if (tx.database === 'sqlite') return
  const { ruleSetStamps: t } = complianceTables(tx)
  const lock = () => tx.rows(sql`SELECT 1 FROM ${t} WHERE ${t.orgId} = ${orgId} FOR UPDATE`)
  // Where the row is there, nothing is written: a change that turns out to be none leaves no trace.
  if ((await lock()).length > 0) return
  await tx.insert(t).values({ orgId, stamp: 1 }).onConflictDoNothing()
  await lock()
}

/**
 * Keeps a rule from being deleted while exemptions from it are asked for, by whichever organization: a request that began
 * before the end of the rule is ended with it. The rows of the rule would not do: others than its owner may not lock them.
 */
export async function holdRules(tx: Tx, ruleIds: readonly string[], how: 'shared' | 'alone'): Promise<void> {
  if (tx.database === 'sqlite') return
  const lock = sql.raw(how === 'alone' ? 'pg_advisory_xact_lock' : 'pg_advisory_xact_lock_shared')
  for (const id of [...new Set(ruleIds)].sort()) {
    await tx.rows(sql`SELECT ${lock}(hashtextextended(${`plumbline.rule.${id}`}, 0))`)
  }
}

/** Says that what the organization, its teams or its subscribers are held to is another. */
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

/** One text that is another as soon as anything that the organization is held to was changed. */
export async function readStamps(db: Db, { orgId, parentOrgId }: Held): Promise<string> {
  const rows = await stampsOf(db, { own: orgId, parent: parentOrgId ?? orgId, system: SYSTEM_ORG_ID })
  const stamp = (id: string | null): number => rows.find((row) => row.orgId === id)?.stamp ?? 0
  // guard: the-stamp-of-the-parent-counts
  return `${stamp(orgId)}.${parentOrgId ?? ''}.${stamp(parentOrgId)}.${stamp(SYSTEM_ORG_ID)}`
}
