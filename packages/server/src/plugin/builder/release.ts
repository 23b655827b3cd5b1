/** `POST /builder/jobs/:jobId/release` */
import { unchanged } from '../../runtime/operation/context.js'
import { command, noTenant } from '../../runtime/operation/operation.js'
import { createBuildQueue } from '../build/queue.js'
import { BUILDERS, Done, HELD_ERRORS, heldBy, NO_EVIDENCE, onJob, orStale } from './held.js'

export const releaseBuild = command({
  name: 'plugin.builder.release',
  summary: 'Release a build that was not built, as its builder; the attempt does not count',
  http: { method: 'post', path: '/builder/jobs/:jobId/release' },
  access: BUILDERS,
  tenant: noTenant,
  audit: NO_EVIDENCE,
  input: onJob,
  output: Done,
  errors: HELD_ERRORS,
  async prepare(context, { path: { jobId } }) {
    const held = heldBy(context, jobId)
    await orStale(context, held, createBuildQueue(context.runtime).release(held))
  },
  run: async () => unchanged({ done: true }),
})
