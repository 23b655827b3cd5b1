/**
 * `GET /messages/stream`: live events of the inbox. Each event carries its position, from which a client that lost the
 * connection resumes (`Last-Event-ID`). Within 24 hours no event is lost, and none is sent twice.
 *
 * INVARIANT: an event is sent only to people who may see its message at that moment, and never to a person whose right
 * ended more than five seconds ago.
 */
import Type, { type Static } from 'typebox'
import { stillMay } from '../../identity/index.js'
import { permission } from '../../runtime/operation/access.js'
import type { StreamContext } from '../../runtime/operation/context.js'
import { fromHeader, type StreamEvent, stream } from '../../runtime/operation/operation.js'
import { nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'
import { Message } from '../record.js'
import { unreadTotal } from '../unread/count.js'
import { type Viewer, viewerOf } from '../visibility.js'
import { hubOf } from './hub.js'
import { BEGINNING, eventId, newestPlace, type Place, readEventId } from './position.js'
import { lookFor } from './read-events.js'

/** Events are kept one hour longer than they can be resumed, because clocks may differ. */
const RESUMABLE_MS = 24 * 3_600_000

const Told = Type.Union([
  strictObject({ message: Message }),
  strictObject({ id: Uuid, threadId: nullable(Uuid) }),
  strictObject({
    count: Type.Integer({ description: 'Threads with an unread message' }),
    resumed: Type.Optional(
      Type.Boolean({
        description: 'In the first event. `false`: earlier events are not sent; read the inbox',
      }),
    ),
  }),
])
type Told = Static<typeof Told>

export const streamMessages = stream({
  name: 'message.event.stream',
  summary: 'Follow your inbox: `message.new`, `message.edited`, `message.deleted`, `unread`',
  description:
    'Server-sent events. The first is `unread`; another one follows each change. Send `Last-Event-ID` to continue a stream that was interrupted within the last 24 hours.',
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
  const { orgId, userId } = viewer
  // A wake-up may be lost, so a stream also polls. Without a bus, polling is the only way to notice changes of other
  // processes.
  const lookMs = () => (context.runtime.store.database === 'pg' && !hub.isShared() ? 1000 : 5000)
  let after = start
  const count = await context.read((db) => unreadTotal(db, viewer))
  yield { id: eventId(after), event: 'unread', data: { count, resumed } }
  while (!context.signal.aborted) {
    // Registered before the read, so that a commit during the read wakes the stream.
    const woken = hub.next(orgId, lookMs(), context.signal)
    const { events, last, reached, unread, isFull } = await hub.look(orgId, { userId, after }, (readers) =>
      context.read((db) => lookFor(db, orgId, readers)),
    )
    // guard: the-right-of-whoever-listens
    if (!(await stillMay(context, 'messages:read'))) return
    yield* events
    after = reached
    if (last !== null) yield { id: eventId(last), event: 'unread', data: { count: unread } }
    if (!isFull) await woken
  }
}
