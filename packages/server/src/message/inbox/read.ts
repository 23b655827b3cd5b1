/** Mark every message of your inbox as read by you. */
import { permission } from '../../runtime/operation/access.js'
import { changed, unchanged } from '../../runtime/operation/context.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { AUDIT, Marked, mark } from '../read/mark.js'
import { inInbox, viewerOf } from '../visibility.js'

export const readInbox = command({
  name: 'message.inbox.read',
  summary: 'Mark every message of your inbox as read by you',
  http: { method: 'put', path: '/messages/read-all' },
  access: permission('messages:read'),
  tenant: fromHeader,
  audit: AUDIT,
  input: {},
  output: Marked,
  errors: [],
  async run(context) {
    const viewer = viewerOf(context)
    const marked = await mark(context, viewer, inInbox(context.tx, viewer))
    return marked > 0 ? changed({ marked }) : unchanged({ marked })
  },
})
