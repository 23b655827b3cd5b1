/**
 * The position of an event in the order in which streams send events, and the events after a position.
 *
 * SQLite commits in the order of positions. PostgreSQL assigns positions at insert, so there the order is that of
 * transactions, and only those below the oldest running transaction are sent: no event can appear before a position
 * that a stream has passed.
 */
import { and, eq, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../runtime/store/db.js'
import { messageTables } from '../tables.js'
import { concerns, concernsAnybody, type Viewer } from '../visibility.js'
import type { EventKind } from './kind.js'

export interface Place {
  /** When the event was written: it limits how long a stream can resume from it. */
  readonly atMs: number
  /** Transaction id in decimal digits; `0` on SQLite. */
  readonly xid: string
  readonly position: number
}

export const BEGINNING: Place = { atMs: 0, xid: '0', position: 0 }

export const eventId = ({ atMs, xid, position }: Place): string => `${atMs}-${xid}-${position}`

export function readEventId(text: string | null): Place | null {
  const [, atMs, xid, position] = /^(\d{1,15})-(\d{1,18})-(\d{1,15})$/.exec(text ?? '') ?? []
  if (atMs === undefined || xid === undefined || position === undefined) return null
  return { atMs: Number(atMs), xid, position: Number(position) }
}

export interface PlacedEvent {
  readonly place: Place
  readonly kind: EventKind
  readonly messageId: string
  readonly rootId: string
  /** Sender and recipient of the thread: `isFor` decides by them who gets the event. */
  readonly orgId: string
  readonly recipientOrgId: string
  readonly recipientUserId: string | null
  /** For a read mark, the only person whom it concerns. */
  readonly userId: string | null
}

/** Events after a position that concern any member of the organization. */
export async function readEvents(db: Db, orgId: string, after: Place, limit: number): Promise<PlacedEvent[]> {
  return select(
    db,
    concernsAnybody(sidesOf(db), orgId),
    sql`AND ${behind(db, after)} ORDER BY ${order(db, sql``)} LIMIT ${limit}`,
  )
}

/** The newest event that concerns any member of the organization; null for none. */
export async function newestOf(db: Db, orgId: string): Promise<Place | null> {
  const [newest] = await select(db, concernsAnybody(sidesOf(db), orgId), sql`ORDER BY ${order(db, sql`DESC`)} LIMIT 1`)
  return newest?.place ?? null
}

/** The newest event that concerns the viewer; null for none. */
export async function newestPlace(db: Db, viewer: Viewer): Promise<Place | null> {
  const { messageEvents: e } = messageTables(db)
  const mine = and(concerns(sidesOf(db), viewer), or(isNull(e.userId), eq(e.userId, viewer.userId))) as SQL
  const [newest] = await select(db, mine, sql`ORDER BY ${order(db, sql`DESC`)} LIMIT 1`)
  return newest?.place ?? null
}

const isPg = (db: Db): boolean => db.database === 'pg'

const sidesOf = (db: Db) => {
  const { messageEvents: e } = messageTables(db)
  return { from: e.orgId, to: e.recipientOrgId, toUser: e.recipientUserId }
}

async function select(db: Db, where: SQL, rest: SQL): Promise<PlacedEvent[]> {
  const settled = isPg(db) ? sql`AND xid < pg_snapshot_xmin(pg_current_snapshot())` : sql``
  const xid = isPg(db) ? sql`xid::text` : sql`'0'`
  const rows = await db.rows<Record<string, string | number | null>>(
    sql`SELECT ${xid} AS xid, position, kind, message_id, root_id, org_id, recipient_org_id, recipient_user_id, user_id, created_at_ms
      FROM message_events WHERE ${where} ${settled} ${rest}`,
  )
  return rows.map((row) => ({
    place: { atMs: Number(row['created_at_ms']), xid: String(row['xid']), position: Number(row['position']) },
    kind: row['kind'] as EventKind,
    messageId: String(row['message_id']),
    rootId: String(row['root_id']),
    orgId: String(row['org_id']),
    recipientOrgId: String(row['recipient_org_id']),
    recipientUserId: row['recipient_user_id'] as string | null,
    userId: row['user_id'] as string | null,
  }))
}

const order = (db: Db, way: SQL): SQL => (isPg(db) ? sql`xid ${way}, position ${way}` : sql`position ${way}`)

const behind = (db: Db, { xid, position }: Place): SQL =>
  isPg(db) ? sql`(xid, position) > (${xid}::text::xid8, ${position}::bigint)` : sql`position > ${position}`
