/** `POST /plugins/queue/dlq/:jobId/replay`. Source: spec platform 11. */
import Type from 'typebox'
import { Refusal } from '../../runtime/errors.js'
import { permission } from '../../runtime/operation/access.js'
import { changed } from '../../runtime/operation/context.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { AGAIN_ERRORS, buildAgain, prepareAgain } from '../build/rebuild.js'
import type { BuildJobRow } from '../tables.js'

export const replayDeadBuild = command({
  name: 'plugin.dlq.replay',
  summary: 'Replay a dead letter',
  description: 'The plugin is checked and takes its quota again, as at an upload.',
  http: { method: 'post', path: '/plugins/queue/dlq/:jobId/replay', status: 202 },
  access: permission('plugins:write', 'plugins:publish'),
  tenant: fromHeader,
  acrossOrganizations: 'places are those of the account',
  audit: ['plugin.dlq.replay', 'plugin.build.cancel'],
  input: { path: Type.Object({ jobId: Uuid }) },
  output: strictObject({ replayed: Type.Boolean(), dlqJobId: Uuid, newJobId: Uuid }),
  errors: AGAIN_ERRORS,
  prepare: (context, { path: { jobId } }) => prepareAgain(context, jobId, checkDead),
  async run(context, { path: { jobId } }, revision) {
    const { newJobId, plugin } = await buildAgain(context, jobId, revision, checkDead)
    await context.audit('plugin.dlq.replay', {
      targetType: 'plugin',
      targetId: plugin.id,
      details: { id: jobId, name: plugin.name },
    })
    return changed({ replayed: true, dlqJobId: jobId, newJobId })
  },
})

function checkDead({ state }: BuildJobRow): void {
  if (state === 'dead') return
  throw new Refusal('CONFLICT', `the build is ${state}: only a dead letter can be replayed`)
}
