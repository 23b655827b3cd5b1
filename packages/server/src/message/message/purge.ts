/** Remove a deleted message for good; purging the root of a thread purges the whole thread. */

import { eq } from 'drizzle-orm'
import Type from 'typebox'
import { notFound } from '../../runtime/errors.js'
import { permission, withStepUp } from '../../runtime/operation/access.js'
import { changed } from '../../runtime/operation/context.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { Uuid } from '../../runtime/operation/schema.js'
import { PurgedAnswer, purgedView } from '../../runtime/records/soft-delete.js'
import { removeMessages } from '../sweep/sweep.js'
import { messageTables } from '../tables.js'
import { ACROSS, findDeleted } from './tombstone.js'

export const purgeMessage = command({
  name: 'message.message.purge',
  summary: 'Purge a deleted message; purging the first message of a thread purges the whole thread',
  http: { method: 'post', path: '/messages/:id/purge' },
  access: withStepUp(permission('messages:write')),
  tenant: fromHeader,
  acrossForSystemAdmins: ACROSS,
  audit: ['message.delete'],
  input: { path: Type.Object({ id: Uuid }) },
  output: PurgedAnswer,
  errors: ['NOT_FOUND'],
  async run(context, { path: { id } }) {
    const { tx } = context
    const row = await findDeleted(context, id)
    context.checkRevision(row.revision)
    const { messages: t } = messageTables(tx)
    const due = row.isRoot ? await tx.select({ id: t.id }).from(t).where(eq(t.rootId, id)) : [{ id }]
    const gone = await removeMessages(
      tx,
      due.map((each) => each.id),
    )
    if (gone === 0) throw notFound('Message')
    await context.audit('message.delete', {
      targetType: 'message',
      targetId: id,
      affectedOrgId: row.orgId,
      details: { messages: gone, reason: 'purged' },
    })
    return changed(purgedView(id, 'the message'))
  },
})
