/**
 * How far back the past of an organization can be told: to its creation, and no further than a purge has left it. What is before
 * is refused, never guessed (ADR 78).
 */
import { eq, inArray, sql } from 'drizzle-orm'
import { findOrganization } from '../../identity/index.js'
import { toIso } from '../../runtime/clock.js'
import { Refusal } from '../../runtime/errors.js'
import type { Db, Tx } from '../../runtime/store/db.js'
import type { Held } from '../rule-stamp.js'
import { complianceTables } from '../tables.js'

/**
 * Read after what is told, so that a purge in between is noticed.
 * @throws Refusal 409 with the earliest instant that can be told.
 */
export async function checkToldAt(db: Db, held: Held, atMs: number): Promise<void> {
  const startMs = await pastStart(db, held)
  // guard: nothing-is-told-before-the-beginning
  if (atMs >= startMs) return
  const earliest = toIso(startMs)
  throw new Refusal('CONFLICT', `\`asOf\` is before what can still be told: the earliest is ${earliest}`, {
    details: { field: 'asOf', earliest },
  })
}

async function pastStart(db: Db, { orgId, parentOrgId }: Held): Promise<number> {
  const org = await findOrganization(db, orgId)
  if (org === null) throw new Error('the tenant is not an organization')
  const { pastStarts: t } = complianceTables(db)
  // guard: nothing-is-told-from-before-a-purge-of-the-parent
  const held = parentOrgId === null ? eq(t.orgId, orgId) : inArray(t.orgId, [orgId, parentOrgId])
  const moved = await db.select({ fromMs: t.fromMs }).from(t).where(held)
  // guard: nothing-is-told-from-before-a-purge
  return Math.max(org.createdAtMs, ...moved.map(({ fromMs }) => fromMs))
}

interface Start {
  readonly orgId: string
  readonly fromMs: number
}

const ROWS_AT_ONCE = 200

/** What a purge takes away held until then: before, the past of these organizations cannot be told any more. */
export async function movePastStarts(tx: Tx, starts: readonly Start[]): Promise<void> {
  const { pastStarts: t } = complianceTables(tx)
  for (let at = 0; at < starts.length; at += ROWS_AT_ONCE) {
    await tx
      .insert(t)
      .values(starts.slice(at, at + ROWS_AT_ONCE))
      .onConflictDoUpdate({
        target: t.orgId,
        set: { fromMs: sql`CASE WHEN excluded.from_ms > ${t.fromMs} THEN excluded.from_ms ELSE ${t.fromMs} END` },
      })
  }
}
