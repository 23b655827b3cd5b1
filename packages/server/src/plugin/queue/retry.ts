/** `POST /plugins/queue/failed/:jobId/retry`. */
import Type from 'typebox'
import { Refusal } from '../../runtime/errors.js'
import { permission } from '../../runtime/operation/access.js'
import { changed } from '../../runtime/operation/context.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { AGAIN_ERRORS, buildAgain, prepareAgain } from '../build/rebuild.js'
import type { BuildJobRow, PluginRow } from '../tables.js'

export const retryBuild = command({
  name: 'plugin.queue.retry',
  summary: 'Retry a failed or cancelled build now',
  description:
    'Ignores its back-off, with all its attempts. The plugin is checked and takes its quota again, as at an upload.',
  http: { method: 'post', path: '/plugins/queue/failed/:jobId/retry', status: 202 },
  access: permission('plugins:write', 'plugins:publish'),
  tenant: fromHeader,
  acrossOrganizations: 'places are those of the account',
  audit: ['plugin.queue.retry', 'plugin.build.cancel'],
  input: { path: Type.Object({ jobId: Uuid }) },
  output: strictObject({ retried: Type.Boolean(), jobId: Uuid, newJobId: Uuid }),
  errors: AGAIN_ERRORS,
  prepare: (context, { path: { jobId } }) => prepareAgain(context, jobId, checkFailed),
  async run(context, { path: { jobId } }, revision) {
    const { newJobId, plugin } = await buildAgain(context, jobId, revision, checkFailed)
    await context.audit('plugin.queue.retry', {
      targetType: 'plugin',
      targetId: plugin.id,
      details: { id: jobId, name: plugin.name },
    })
    return changed({ retried: true, jobId, newJobId })
  },
})

function checkFailed({ state, category }: BuildJobRow, { buildStatus }: PluginRow): void {
  // A build that a newer upload replaced is cancelled too, but cannot be retried: the newer build counts.
  const isCancelled = state === 'cancelled' && buildStatus === 'failed'
  if (state === 'dead' || isCancelled || (state === 'delayed' && category !== null)) return
  const is = state === 'cancelled' ? 'replaced by a newer one' : `${state} and has not failed`
  throw new Refusal('CONFLICT', `the build is ${is}: there is nothing to retry`)
}
