/** Reports only that something happened in the organization's inbox; the client then reads what it may see. */
import { permission } from '../runtime/operation/access.js'
import type { ChangeSource } from '../runtime/operation/change-source.js'
import { eventId, newestOf } from './event/position.js'

export const MESSAGE_CHANGES: ChangeSource = {
  name: 'message',
  access: () => permission('messages:read'),
  async look(db, orgId, mark) {
    const newest = await newestOf(db, orgId)
    const now = newest === null ? '' : eventId(newest)
    return { mark: now, topics: mark === null || mark === now ? [] : ['message.message'] }
  },
}
