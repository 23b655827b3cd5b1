/** `POST /builder/jobs/:jobId/heartbeat` */
import Type from 'typebox'
import { toIsoOrNull } from '../../runtime/clock.js'
import { unchanged } from '../../runtime/operation/context.js'
import { command, noTenant } from '../../runtime/operation/operation.js'
import { Instant, nullable, strictObject } from '../../runtime/operation/schema.js'
import { BUILDER_PHASES } from '../build/plan.js'
import { createBuildQueue } from '../build/queue.js'
import { anyJob } from '../build/visible.js'
import { BASES_MAX } from '../builder-program/base-refused.js'
import { oneOf } from '../manifest/schema.js'
import { Base, BUILDERS, HELD_ERRORS, heldBy, NO_EVIDENCE, onJob, stale } from './held.js'

export const heartbeatBuild = command({
  name: 'plugin.builder.heartbeat',
  summary: 'Report that a build is still running, as its builder',
  description: 'At least every 20 s. `cancel` says that the build must stop: it is no longer needed.',
  http: { method: 'post', path: '/builder/jobs/:jobId/heartbeat' },
  access: BUILDERS,
  tenant: noTenant,
  audit: NO_EVIDENCE,
  input: {
    ...onJob,
    body: strictObject({
      phase: Type.Optional(oneOf(BUILDER_PHASES)),
      bases: Type.Optional(
        Type.Array(Base, {
          maxItems: BASES_MAX,
          description: 'The base images that it fetched; the first report counts',
        }),
      ),
    }),
  },
  output: strictObject({ leaseUntil: nullable(Instant), cancel: Type.Boolean() }),
  errors: HELD_ERRORS,
  async prepare(context, { path: { jobId }, body: { phase, bases } }) {
    const held = heldBy(context, jobId)
    const isHeld = await createBuildQueue(context.runtime).heartbeat(held, phase, bases)
    const job = await context.read((db) => anyJob(db, jobId))
    if (isHeld) return { leaseUntil: toIsoOrNull(job.leaseUntilMs), cancel: false }
    if (job.fence !== held.fence || job.state !== 'cancelled') throw stale()
    return { leaseUntil: null, cancel: true }
  },
  run: async (_context, _input, told) => unchanged(told),
})
