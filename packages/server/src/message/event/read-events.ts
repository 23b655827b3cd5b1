/**
 * Reads the next events for the streams of one organization: one read serves all streams that read at the same time.
 * Events and messages are read with the organization's scope, and each reader gets the events that concern them. Read
 * marks and counts are read for all readers together.
 *
 * INVARIANT: a reader never gets an event of a message to another person, or an event of another person's read marks.
 */
import { and, inArray } from 'drizzle-orm'
import type { Static } from 'typebox'
import type { Db } from '../../runtime/store/db.js'
import { type Message, type MessageView, presentFor } from '../record.js'
import { type MessageRow, messageTables } from '../tables.js'
import { countUnreadOf } from '../unread/count.js'
import { inInboxOf, isFor } from '../visibility.js'
import { eventId, type Place, type PlacedEvent, readEvents } from './position.js'

const BATCH = 100

/** A stream that reads: its user, and the last event that it has read. */
export interface Reader {
  readonly userId: string
  readonly after: Place
}

export type Told =
  | {
      readonly id: string
      readonly event: 'message.new' | 'message.edited'
      readonly data: { message: Static<typeof Message> }
    }
  | { readonly id: string; readonly event: 'message.deleted'; readonly data: { id: string; threadId: string | null } }

export interface Look {
  readonly events: readonly Told[]
  /** The last event that concerned the reader; null when there was none. */
  readonly last: Place | null
  /** Where the next read begins. */
  readonly reached: Place
  readonly unread: number
  readonly isFull: boolean
}

export async function lookFor(db: Db, orgId: string, readers: readonly Reader[]): Promise<Look[]> {
  // Streams at the same event share one query.
  const places = new Map(readers.map(({ after }) => [eventId(after), after]))
  const behind = new Map<string, PlacedEvent[]>()
  for (const [id, place] of places) behind.set(id, await readEvents(db, orgId, place, BATCH))
  const own = readers.map(({ userId, after }) => {
    const rows = behind.get(eventId(after)) as PlacedEvent[]
    // guard: whom-a-shared-look-is-for
    return { userId, after, rows, mine: rows.filter((row) => isFor(row, orgId, userId) && isOf(row, userId)) }
  })
  const concerned = [...new Set(own.filter(({ mine }) => mine.length > 0).map(({ userId }) => userId))]
  const rows = await messagesOf(
    db,
    orgId,
    own.flatMap(({ mine }) => mine),
  )
  const views = await presentFor(db, orgId, concerned, rows)
  const unread = await countUnreadOf(db, orgId, concerned)
  const byId = new Map(rows.map((row) => [row.id, row]))
  const viewOf = (id: string, userId: string): MessageView | undefined => {
    const row = byId.get(id)
    return row !== undefined && isFor(sidesOf(row), orgId, userId) ? views(row, userId) : undefined
  }
  return own.map(({ userId, after, rows, mine }) => ({
    events: mine.flatMap((event) => told(event, viewOf(event.messageId, userId))),
    last: mine.at(-1)?.place ?? null,
    reached: rows.at(-1)?.place ?? after,
    unread: unread.get(userId) ?? 0,
    isFull: rows.length === BATCH,
  }))
}

/** A read mark concerns only the person who set it. */
const isOf = ({ userId }: PlacedEvent, reader: string): boolean => userId === null || userId === reader

const sidesOf = ({ threadOrgId, threadRecipientOrgId, threadRecipientUserId }: MessageRow) => ({
  orgId: threadOrgId,
  recipientOrgId: threadRecipientOrgId,
  recipientUserId: threadRecipientUserId,
})

async function messagesOf(db: Db, orgId: string, events: readonly PlacedEvent[]): Promise<MessageRow[]> {
  const ids = new Set(
    events.filter(({ kind }) => kind === 'new' || kind === 'edited').map(({ messageId }) => messageId),
  )
  if (ids.size === 0) return []
  const { messages: t } = messageTables(db)
  return db
    .select()
    .from(t)
    .where(and(inArray(t.id, [...ids]), inInboxOf(db, orgId)))
}

/** A message that was deleted meanwhile is not reported as new; its deletion is a later event. */
function told({ kind, place, messageId, rootId }: PlacedEvent, message: MessageView | undefined): Told[] {
  const id = eventId(place)
  if (kind === 'deleted') {
    return [{ id, event: 'message.deleted', data: { id: messageId, threadId: rootId === messageId ? null : rootId } }]
  }
  return kind === 'read' || message === undefined ? [] : [{ id, event: `message.${kind}`, data: { message } }]
}
