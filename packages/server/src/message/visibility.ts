/**
 * Who may see a message: the organization that opened its thread, the one that the thread went to (or the one member whom it
 * names), everybody for an announcement, and the system organization. Replies and attachments inherit it. The one condition
 * of this domain, used by every query. Source: core platform, Messages; platform decisions 13.
 */
import { and, eq, isNull, or, type SQL } from 'drizzle-orm'
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
export function concerns({ from, to, toUser }: Sides, { orgId, userId }: Viewer): SQL {
  const own = or(eq(from, orgId), and(eq(to, orgId), or(isNull(toUser), eq(toUser, userId))), eq(to, EVERYBODY))
  return own as SQL
}

const sidesOf = (db: Db): Sides => {
  const { messages: t } = messageTables(db)
  return { from: t.threadOrgId, to: t.threadRecipientOrgId, toUser: t.threadRecipientUserId }
}

/** Live messages of which the viewer is a side: what inbox, counts and the stream show. */
export const inInbox = (db: Db, viewer: Viewer): SQL =>
  and(concerns(sidesOf(db), viewer), isNull(messageTables(db).messages.deletedAtMs)) as SQL

/** Live messages that the viewer may see when they ask for them. */
export const visible = (db: Db, viewer: Viewer): SQL =>
  viewer.orgId === SYSTEM_ORG_ID ? isNull(messageTables(db).messages.deletedAtMs) : inInbox(db, viewer)
