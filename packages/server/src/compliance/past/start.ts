/**
 * The history horizon of an organization: its creation, or a later instant up to which a purge has deleted history. A
 * request for an earlier instant is refused, never guessed (ADR 78).
 */
import { eq, inArray, sql } from 'drizzle-orm'
import { findOrganization } from '../../identity/index.js'
import { toIso } from '../../runtime/clock.js'
import { Refusal } from '../../runtime/errors.js'
import type { Db, Tx } from '../../runtime/store/db.js'
import type { Held } from '../rule-stamp.js'
import { complianceTables } from '../tables.js'

/**
 * Runs after the history was read, so that a purge in between is noticed.
 * @throws Refusal 409 with the earliest instant that stored history can answer for.
 */
export async function checkToldAt(db: Db, held: Held, atMs: number): Promise<void> {
  const startMs = await pastStart(db, held)
  // guard: nothing-is-told-before-the-beginning
  if (atMs >= startMs) return
  const earliest = toIso(startMs)
  throw new Refusal('CONFLICT', `\`asOf\` is before the stored history: the earliest instant is ${earliest}`, {
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

/** Moves the history horizon of these organizations: what a purge deletes was in force until then. */
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
