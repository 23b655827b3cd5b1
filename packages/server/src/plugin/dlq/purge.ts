/** `DELETE /plugins/queue/dlq`. Source: spec platform 11. */
import Type from 'typebox'
import { systemAdmin } from '../../runtime/operation/access.js'
import { changed, unchanged } from '../../runtime/operation/context.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { removeDead } from '../build/dead-letters.js'
import { SYSTEM_ADMINS } from '../build/visible.js'

export const purgeDeadBuilds = command({
  name: 'plugin.dlq.purge',
  summary: 'Remove every dead letter of every organization',
  http: { method: 'delete', path: '/plugins/queue/dlq' },
  access: systemAdmin(),
  tenant: fromHeader,
  acrossForSystemAdmins: SYSTEM_ADMINS,
  audit: ['plugin.dlq.purge', 'plugin.build.cancel'],
  input: {},
  output: strictObject({ purged: Type.Integer() }),
  errors: [],
  async run(context) {
    const purged = await removeDead(context)
    if (purged === 0) return unchanged({ purged })
    await context.audit('plugin.dlq.purge', { targetType: 'plugin', details: { reason: `${purged} dead letters` } })
    return changed({ purged })
  },
})
