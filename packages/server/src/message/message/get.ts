/** Read one message. */
import Type from 'typebox'
import { permission } from '../../runtime/operation/access.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { findVisible } from '../find-visible.js'
import { Message, presentMessage } from '../record.js'
import { viewerOf } from '../visibility.js'

export const getMessage = query({
  name: 'message.message.get',
  summary: 'Get a message',
  http: { method: 'get', path: '/messages/:id' },
  access: permission('messages:read'),
  tenant: fromHeader,
  input: { path: Type.Object({ id: Uuid }) },
  output: strictObject({ message: Message }),
  errors: ['NOT_FOUND'],
  async run(context, { path: { id } }) {
    const viewer = viewerOf(context)
    return { message: await presentMessage(context.db, viewer, await findVisible(context.db, viewer, id)) }
  },
})
