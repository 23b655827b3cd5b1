/**
 * Who may see a message: the organization that opened its thread, the one that the thread went to (or the one member whom it
 * names), everybody for an announcement, and the system organization. Replies and attachments inherit it. The one condition
 * of this domain, used by every query. Source: spec platform 13.
 */
import { and, eq, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { SYSTEM_ORG_ID } from '../runtime/ids.js'
import { type PrepareContext, type ReadContext, type StreamContext, tenantId } from '../runtime/operation/context.js'
import type { Db } from '../runtime/store/db.js'
import { messageTables } from './tables.js'

export const EVERYBODY = '*'

/** A person in an organization: the same person may see other messages elsewhere. */
export interface Viewer {
  readonly orgId: string
  readonly userId: string
}

/** Where a statement is about one person after another, the expression that names them. */
export interface Viewers {
  readonly orgId: string
  readonly userId: string | SQL
}

/** The person of the request; a message belongs to people, and machines read none. */
export function viewerOf(
  context: Pick<ReadContext | PrepareContext | StreamContext, 'principal' | 'authority'>,
): Viewer {
  const { principal } = context
  if (principal.kind !== 'user') throw new Error('only people read messages')
  return { orgId: tenantId(context as ReadContext), userId: principal.userId }
}

/** The three columns that decide, whatever the table. */
interface Sides {
  readonly from: SQLiteColumn
  readonly to: SQLiteColumn
  readonly toUser: SQLiteColumn
}

/** The viewer's organization is one of the sides; nothing is visible by the system organization's right alone. */
export function concerns({ from, to, toUser }: Sides, { orgId, userId }: Viewers): SQL {
  // guard: a-message-to-one-member-alone
  const own = or(eq(from, orgId), and(eq(to, orgId), or(isNull(toUser), eq(toUser, userId))), eq(to, EVERYBODY))
  return own as SQL
}

/** The same, for a row that was read for several people of the organization. */
export const isFor = (
  { orgId, recipientOrgId, recipientUserId }: { orgId: string; recipientOrgId: string; recipientUserId: string | null },
  ownOrgId: string,
  userId: string,
): boolean =>
  orgId === ownOrgId ||
  recipientOrgId === EVERYBODY ||
  (recipientOrgId === ownOrgId && (recipientUserId === null || recipientUserId === userId))

/** What concerns anybody of the organization: `isFor` says whom. */
export const concernsAnybody = ({ from, to }: Sides, orgId: string): SQL =>
  or(eq(from, orgId), eq(to, orgId), eq(to, EVERYBODY)) as SQL

const sidesOf = (db: Db): Sides => {
  const { messages: t } = messageTables(db)
  return { from: t.threadOrgId, to: t.threadRecipientOrgId, toUser: t.threadRecipientUserId }
}

/** Live messages of which the viewer is a side: what inbox, counts and the stream show. */
// guard: a-deleted-message
export const inInbox = (db: Db, viewer: Viewers): SQL =>
  and(concerns(sidesOf(db), viewer), isNull(messageTables(db).messages.deletedAtMs)) as SQL

/** Live messages of which anybody of the organization is a side: `isFor` says who. */
export const inInboxOf = (db: Db, orgId: string): SQL =>
  and(concernsAnybody(sidesOf(db), orgId), isNull(messageTables(db).messages.deletedAtMs)) as SQL

/** Live messages that the viewer may see when they ask for them. */
export const visible = (db: Db, viewer: Viewer): SQL =>
  viewer.orgId === SYSTEM_ORG_ID ? isNull(messageTables(db).messages.deletedAtMs) : inInbox(db, viewer)

/** In a statement that begins with `readers`: one of them after another. */
export const READER: SQL = sql`reader.user_id`

/** Names the people whom a statement is about; `CROSS JOIN` keeps SQLite from going through all messages first. */
export const readers = (userIds: readonly string[]): SQL =>
  sql`WITH reader (user_id) AS (VALUES ${sql.join(
    userIds.map((id) => sql`(CAST(${id} AS text))`),
    sql`, `,
  )})`
