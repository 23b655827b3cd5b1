/**
 * One pass of the sequencer: reads outbox rows in commit order, seals them, and deletes them from the outbox, all in
 * one transaction. However the process ends, an event is either in the outbox or in its chain, never in both and never
 * in neither.
 *
 * INVARIANT: a row is sealed only when no transaction that was numbered before it still runs. SQLite commits in the
 * order of positions. PostgreSQL numbers rows at insert, so there only rows below the oldest running transaction are
 * sealed.
 */
import { type AuditEvent, ScrubbedDetails } from '@plumbline/audit-chain'
import { sql } from 'drizzle-orm'
import { toIso } from '../../runtime/clock.js'
import type { SealPass } from '../../runtime/jobs/sequencer.js'
import type { Tx } from '../../runtime/store/db.js'
import { sqliteStatement } from '../../runtime/store/sqlite-connection.js'
import { appendEvents, type ChainMoved, HeadMoved } from './append.js'

export const BATCH_ROWS_MAX = 500

/**
 * Advisory lock of the replica that seals now. It saves wasted work; the compare-and-set on the heads prevents forks.
 */
const LEASE_KEY = 7_263_402

export interface SealedBatch extends SealPass {
  readonly moved: readonly ChainMoved[]
}

interface OutboxRow extends Record<string, unknown> {
  readonly position: number | string
  readonly event: string
  readonly details: string | null
  readonly created_at_ms: number | string
}

export async function sealBatch(
  tx: Tx,
  { rowsMax = BATCH_ROWS_MAX, lease = true }: { rowsMax?: number; lease?: boolean } = {},
): Promise<SealedBatch> {
  if (lease && tx.database === 'pg') {
    const [row] = await tx.rows<{ won: boolean }>(sql`SELECT pg_try_advisory_xact_lock(${LEASE_KEY}::bigint) AS won`)
    // guard: one-process-seals
    if (row?.won !== true) return { sealed: 0, left: true, moved: [] }
  }
  const rows = await tx.rows<OutboxRow>(
    // guard: commit-order-on-postgresql
    // guard: no-row-of-a-transaction-that-may-be-behind
    tx.database === 'pg'
      ? sql`SELECT position, event, details, created_at_ms FROM audit_outbox WHERE xid < pg_snapshot_xmin(pg_current_snapshot()) ORDER BY position LIMIT ${rowsMax}`
      : sql`SELECT position, event, details, created_at_ms FROM audit_outbox ORDER BY position LIMIT ${rowsMax}`,
  )
  const moved = await appendEvents(tx, rows.map(eventOf))
  // guard: sealed-rows-leave-the-outbox
  await takeOut(tx, rows)
  const [rest] = await tx.rows(sql`SELECT 1 AS one FROM audit_outbox LIMIT 1`)
  return { sealed: rows.length, left: rest !== undefined, moved }
}

/** Waits until no replica seals, and blocks sealing until the transaction ends. SQLite has a single writer anyway. */
export async function holdSealing(tx: Tx): Promise<void> {
  if (tx.database === 'pg') await tx.rows(sql`SELECT pg_advisory_xact_lock(${LEASE_KEY}::bigint)`)
}

async function takeOut(tx: Tx, rows: readonly OutboxRow[]): Promise<void> {
  const last = rows.at(-1)
  if (last === undefined) return
  // guard: a-row-leaves-the-outbox-once
  if ((await takenOut(tx, rows, last)) !== rows.length) throw new HeadMoved('of the outbox')
}

/** @returns how many rows were deleted. */
async function takenOut(tx: Tx, rows: readonly OutboxRow[], last: OutboxRow): Promise<number> {
  // SQLite has a single writer and these are the oldest rows, so no other row is at or below the last position.
  if (tx.database === 'sqlite') {
    return sqliteStatement(tx, 'DELETE FROM audit_outbox WHERE position <= ?').run(last.position).changes
  }
  const positions = rows.map(({ position }) => position).join(',')
  const gone = await tx.rows(
    sql`DELETE FROM audit_outbox WHERE position = ANY (${`{${positions}}`}::bigint[]) RETURNING 1`,
  )
  return gone.length
}

function eventOf(row: OutboxRow): AuditEvent {
  // PostgreSQL cannot store a zero character: one in a remote event would stop all sealing.
  const text = row.event.includes('\\u0000')
    ? row.event.replaceAll(/(?<!\\)((?:\\\\)*)\\u0000/g, '$1\\ufffd')
    : row.event
  // Completed in place: a spread copy with further properties gets a new hidden class in V8 each time.
  const event = JSON.parse(text) as { -readonly [Field in keyof AuditEvent]: AuditEvent[Field] }
  event.createdAt = toIso(Number(row.created_at_ms))
  event.details = row.details === null ? null : ScrubbedDetails.fromStored(row.details)
  return event
}
