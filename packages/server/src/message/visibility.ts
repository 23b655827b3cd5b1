/**
 * Who may see a message: the organization that opened its thread, the organization that the thread went to (or only the
 * member whom it names), every organization for an announcement, and the system organization. Replies and attachments
 * inherit it. Every query of this domain uses this condition. Source: spec platform 13.
 */
import { and, eq, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { SYSTEM_ORG_ID } from '../runtime/ids.js'
import { type PrepareContext, type ReadContext, type StreamContext, tenantId } from '../runtime/operation/context.js'
import type { Db } from '../runtime/store/db.js'
import { messageTables } from './tables.js'

export const EVERYBODY = '*'

/** A person in one organization: in another, the same person may see other messages. */
export interface Viewer {
  readonly orgId: string
  readonly userId: string
}

/** For a statement about several people: the expression that names the current one. */
export interface Viewers {
  readonly orgId: string
  readonly userId: string | SQL
}

/** The user of the request: messages are for people, and service principals cannot read them. */
export function viewerOf(
  context: Pick<ReadContext | PrepareContext | StreamContext, 'principal' | 'authority'>,
): Viewer {
  const { principal } = context
  if (principal.kind !== 'user') throw new Error('only people can read messages')
  return { orgId: tenantId(context as ReadContext), userId: principal.userId }
}

/** An author acts as one in the organization that they wrote for: who left it does not change what is said in its name. */
export const isAuthor = (
  { createdBy, orgId }: { readonly createdBy: string; readonly orgId: string },
  viewer: Viewer,
): boolean => createdBy === viewer.userId && orgId === viewer.orgId

/** The three deciding columns, in any table. */
interface Sides {
  readonly from: SQLiteColumn
  readonly to: SQLiteColumn
  readonly toUser: SQLiteColumn
}

/**
 * True where the viewer's organization is a side of the thread; the special right of the system organization does not
 * count here.
 */
export function concerns({ from, to, toUser }: Sides, { orgId, userId }: Viewers): SQL {
  // guard: a-message-to-one-member-alone
  const own = or(eq(from, orgId), and(eq(to, orgId), or(isNull(toUser), eq(toUser, userId))), eq(to, EVERYBODY))
  return own as SQL
}

/** The same condition in code, for a row that was read for several people of the organization. */
export const isFor = (
  { orgId, recipientOrgId, recipientUserId }: { orgId: string; recipientOrgId: string; recipientUserId: string | null },
  ownOrgId: string,
  userId: string,
): boolean =>
  orgId === ownOrgId ||
  recipientOrgId === EVERYBODY ||
  (recipientOrgId === ownOrgId && (recipientUserId === null || recipientUserId === userId))

/** True for a row that concerns any member of the organization; `isFor` then decides which. */
export const concernsAnybody = ({ from, to }: Sides, orgId: string): SQL =>
  or(eq(from, orgId), eq(to, orgId), eq(to, EVERYBODY)) as SQL

const sidesOf = (db: Db): Sides => {
  const { messages: t } = messageTables(db)
  return { from: t.threadOrgId, to: t.threadRecipientOrgId, toUser: t.threadRecipientUserId }
}

/** Live messages in which the viewer is a side: for the inbox, counts and the stream. */
// guard: a-deleted-message
export const inInbox = (db: Db, viewer: Viewers): SQL =>
  and(concerns(sidesOf(db), viewer), isNull(messageTables(db).messages.deletedAtMs)) as SQL

/** Live messages in which any member of the organization is a side; `isFor` then decides which. */
export const inInboxOf = (db: Db, orgId: string): SQL =>
  and(concernsAnybody(sidesOf(db), orgId), isNull(messageTables(db).messages.deletedAtMs)) as SQL

/** Live messages that the viewer may read on request. */
export const visible = (db: Db, viewer: Viewer): SQL =>
  viewer.orgId === SYSTEM_ORG_ID ? isNull(messageTables(db).messages.deletedAtMs) : inInbox(db, viewer)

/** The current person in a statement that begins with `readers`. */
export const READER: SQL = sql`reader.user_id`

/** Begins a statement about several people. `CROSS JOIN` keeps SQLite from scanning all messages first. */
export const readers = (userIds: readonly string[]): SQL =>
  sql`WITH reader (user_id) AS (VALUES ${sql.join(
    userIds.map((id) => sql`(CAST(${id} AS text))`),
    sql`, `,
  )})`
