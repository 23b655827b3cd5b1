/** `POST /plugins/builds/:jobId/cancel`. */
import Type from 'typebox'
import { Refusal } from '../../runtime/errors.js'
import { permission } from '../../runtime/operation/access.js'
import { changed, unchanged } from '../../runtime/operation/context.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { lockRow } from '../../runtime/store/postgres.js'
import { cancelBuilds } from '../build-job/cancel-builds.js'
import { checkMayChange } from '../plugin/rights.js'
import { ownPlugin } from '../plugin/visible.js'
import { livePlugin, setStatus } from './plugin-state.js'
import { Build, buildView } from './record.js'
import { jobOf } from './visible.js'

export const cancelBuild = command({
  name: 'plugin.build.cancel',
  summary: 'Cancel a build',
  description:
    'A waiting build ends at once. A builder stops a running one within seconds, and it changes nothing any more. The plugin then counts as failed, and takes no quota. ' +
    'Cancelling a cancelled build changes nothing.',
  http: { method: 'post', path: '/plugins/builds/:jobId/cancel' },
  access: permission('plugins:write'),
  tenant: fromHeader,
  audit: ['plugin.build.cancel'],
  input: { path: Type.Object({ jobId: Uuid }) },
  output: strictObject({ build: Build }),
  errors: ['NOT_FOUND', 'CONFLICT', 'INSUFFICIENT_PERMISSIONS'],
  async prepare(context, { path: { jobId } }) {
    const plugin = await context.read(async (db) => {
      const job = await jobOf(context, db, jobId)
      return livePlugin(db, job)
    })
    if (plugin !== null) await checkMayChange(context, plugin)
  },
  async run(context, { path: { jobId } }) {
    const { tx } = context
    await lockRow(tx, 'build_jobs', jobId)
    const job = await jobOf(context, tx, jobId)
    if (job.state === 'cancelled') return unchanged({ build: buildView(job) })
    // guard: what-is-published-is-not-cancelled
    if (job.state === 'completed' || job.phase === 'publishing' || (job.state === 'dead' && job.isExhausted)) {
      const is = job.phase === 'publishing' ? 'its image is being published' : 'the build has ended'
      throw new Refusal('CONFLICT', `${is}: delete the plugin, or upload it again`)
    }
    const plugin = await ownPlugin(tx, job.orgId, job.pluginId)
    await cancelBuilds(context, plugin, null)
    await setStatus(tx, job, 'failed')
    return changed({ build: buildView(await jobOf(context, tx, jobId)) })
  },
})
