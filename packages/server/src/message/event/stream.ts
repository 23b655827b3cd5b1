/**
 * `GET /messages/stream`: what happens in the inbox, as it happens. Each event carries its position, with which a client that
 * was cut off goes on (`Last-Event-ID`): nothing is lost for 24 hours, and nothing comes twice.
 *
 * INVARIANT: an event is told to those alone who may see its message at that moment, and to nobody whose right has ended for
 * more than five seconds.
 */
import { and, inArray } from 'drizzle-orm'
import Type, { type Static } from 'typebox'
import { stillMay } from '../../identity/index.js'
import { permission } from '../../runtime/operation/access.js'
import type { StreamContext } from '../../runtime/operation/context.js'
import { fromHeader, type StreamEvent, stream } from '../../runtime/operation/operation.js'
import { nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'
import type { Db } from '../../runtime/store/db.js'
import { countUnread } from '../read/unread.js'
import { Message, presentMessages } from '../record.js'
import { messageTables } from '../tables.js'
import { inInbox, type Viewer, viewerOf } from '../visibility.js'
import { hubOf } from './hub.js'
import { BEGINNING, eventId, newestPlace, type Place, type PlacedEvent, readEventId, readEvents } from './place.js'

const BATCH = 100
/** Events are kept an hour longer, for clocks that differ. */
const RESUMABLE_MS = 24 * 3_600_000

const Told = Type.Union([
  strictObject({ message: Message }),
  strictObject({ id: Uuid, threadId: nullable(Uuid) }),
  strictObject({
    count: Type.Integer({ description: 'Threads with something unread' }),
    resumed: Type.Optional(
      Type.Boolean({
        description: 'In the first event. `false`: what was before is not told; read the inbox',
      }),
    ),
  }),
])
type Told = Static<typeof Told>

export const streamMessages = stream({
  name: 'message.event.stream',
  summary: 'Follow your inbox: `message.new`, `message.edited`, `message.deleted`, `unread`',
  description:
    'Server-sent events. The first is `unread`; after each change comes another one. Send `Last-Event-ID` to go on where a stream broke off within the last 24 hours.',
  http: { method: 'get', path: '/messages/stream' },
  access: permission('messages:read'),
  tenant: fromHeader,
  input: {},
  output: Told,
  errors: [],
  async open(context) {
    const viewer = viewerOf(context)
    const asked = readEventId(context.lastEventId)
    const resumed = asked !== null && asked.atMs >= context.nowMs - RESUMABLE_MS
    const newest = await context.read((db) => newestPlace(db, viewer))
    return follow(context, viewer, resumed ? asked : (newest ?? { ...BEGINNING, atMs: context.nowMs }), resumed)
  },
})

async function* follow(
  context: StreamContext,
  viewer: Viewer,
  start: Place,
  resumed: boolean,
): AsyncGenerator<StreamEvent<Told>> {
  const hub = hubOf(context.runtime)
  // A wake-up may get lost; while nothing tells of other processes, looking is how their changes are found.
  const lookMs = () => (context.runtime.store.database === 'pg' && !hub.isShared() ? 1000 : 5000)
  let after = start
  const count = await context.read((db) => countUnread(db, viewer))
  yield { id: eventId(after), event: 'unread', data: { count, resumed } }
  while (!context.signal.aborted) {
    // Asked for before the look, so that what is committed in between wakes it.
    const woken = hub.next(viewer.orgId, lookMs(), context.signal)
    if (!(await stillMay(context, 'messages:read'))) return
    const { events, last, unread, isFull } = await context.read((db) => readBatch(db, viewer, after))
    yield* events
    if (last !== null) {
      after = last
      yield { id: eventId(after), event: 'unread', data: { count: unread } }
    }
    if (!isFull) await woken
  }
}

interface Batch {
  readonly events: readonly StreamEvent<Told>[]
  /** The last one that concerned the viewer; null for none. */
  readonly last: Place | null
  readonly unread: number
  readonly isFull: boolean
}

async function readBatch(db: Db, viewer: Viewer, after: Place): Promise<Batch> {
  const rows = await readEvents(db, viewer, after, BATCH)
  const last = rows.at(-1)?.place ?? null
  if (last === null) return { events: [], last, unread: 0, isFull: false }
  const { messages: t } = messageTables(db)
  const ids = rows.filter(({ kind }) => kind !== 'read').map(({ messageId }) => messageId)
  const found = await db
    .select()
    .from(t)
    .where(and(inArray(t.id, [...new Set(ids)]), inInbox(db, viewer)))
  const views = new Map((await presentMessages(db, viewer, found)).map((view) => [view.id, view]))
  const events = rows.flatMap((row) => told(row, views))
  return { events, last, unread: await countUnread(db, viewer), isFull: rows.length === BATCH }
}

/** A message that has gone since is not told as new; that it went follows. */
function told(
  { kind, place, messageId, rootId }: PlacedEvent,
  views: ReadonlyMap<string, Static<typeof Message>>,
): StreamEvent<Told>[] {
  const id = eventId(place)
  if (kind === 'deleted') {
    return [{ id, event: 'message.deleted', data: { id: messageId, threadId: rootId === messageId ? null : rootId } }]
  }
  const message = views.get(messageId)
  return kind === 'read' || message === undefined ? [] : [{ id, event: `message.${kind}`, data: { message } }]
}
