/** Reports only that something happened in the organization's inbox; the client then reads what it may see. */
import { permission } from '../runtime/operation/access.js'
import type { ChangeSource } from '../runtime/operation/change-source.js'
import { BEGINNING, eventId, newestOf, readEventId, readEvents } from './event/position.js'

/** With more events at once, what they are is not looked at. */
const LOOKED_AT = 100

export const MESSAGE_CHANGES: ChangeSource = {
  name: 'message',
  access: () => permission('messages:read'),
  async look(db, orgId, mark) {
    const newest = await newestOf(db, orgId)
    const now = newest === null ? '' : eventId(newest)
    if (mark === null || mark === now) return { mark: now, topics: [] }
    const events = await readEvents(db, orgId, readEventId(mark) ?? BEGINNING, LOOKED_AT)
    // A read mark changes nothing for other members: their lists need not be loaded again.
    const isWhole = events.length > 0 && events.length < LOOKED_AT
    const isReadOnly = isWhole && events.every(({ kind }) => kind === 'read')
    return { mark: now, topics: [isReadOnly ? 'message.read' : 'message.message'] }
  },
}
