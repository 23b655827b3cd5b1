/** `POST /builder/jobs/:jobId/fail` */
import Type from 'typebox'
import { unchanged } from '../../runtime/operation/context.js'
import { command, noTenant } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { CATEGORIES } from '../build/plan.js'
import { createBuildQueue } from '../build/queue.js'
import { oneOf } from '../manifest/schema.js'
import { BUILDERS, Done, HELD_ERRORS, heldBy, NO_EVIDENCE, onJob, orStale } from './held.js'

export const failBuild = command({
  name: 'plugin.builder.fail',
  summary: 'Report that a build failed, as its builder',
  http: { method: 'post', path: '/builder/jobs/:jobId/fail' },
  access: BUILDERS,
  tenant: noTenant,
  audit: NO_EVIDENCE,
  input: {
    ...onJob,
    body: strictObject({
      category: oneOf(CATEGORIES),
      message: Type.String({ maxLength: 4000 }),
      permanent: Type.Boolean({ description: 'Whether another attempt would not help' }),
    }),
  },
  output: Done,
  errors: HELD_ERRORS,
  async prepare(context, { path: { jobId }, body: { category, message, permanent } }) {
    const held = heldBy(context, jobId)
    const failed = createBuildQueue(context.runtime).fail(held, { category, message, isPermanent: permanent })
    await orStale(context, held, failed)
  },
  run: async () => unchanged({ done: true }),
})
