/** `POST /builder/jobs/:jobId/release` */
import Type from 'typebox'
import { unchanged } from '../../runtime/operation/context.js'
import { command, noTenant } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { createBuildQueue } from '../build/queue.js'
import { BUILDERS, Done, Fault, HELD_ERRORS, heldBy, NO_EVIDENCE, onJob, orStale } from './held.js'

export const releaseBuild = command({
  name: 'plugin.builder.release',
  summary: 'Release a build that was not built, as its builder; the attempt does not count',
  http: { method: 'post', path: '/builder/jobs/:jobId/release' },
  access: BUILDERS,
  tenant: noTenant,
  audit: NO_EVIDENCE,
  input: { ...onJob, body: strictObject({ fault: Type.Optional(Fault) }) },
  output: Done,
  errors: HELD_ERRORS,
  async prepare(context, { path: { jobId }, body: { fault } }) {
    const held = heldBy(context, jobId)
    await orStale(context, held, createBuildQueue(context.runtime).release(held, fault))
  },
  run: async () => unchanged({ done: true }),
})
