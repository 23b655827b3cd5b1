/** `POST /builder/jobs/:jobId/complete`: the builder names a digest, and the server checks the image itself. */
import Type from 'typebox'
import { enqueue } from '../../runtime/jobs/enqueue.js'
import { unchanged } from '../../runtime/operation/context.js'
import { command, noTenant } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { FINISH_JOB } from '../build/plan.js'
import { createBuildQueue } from '../build/queue.js'
import { BUILDERS, Done, HELD_ERRORS, heldBy, NO_EVIDENCE, onJob, orStale } from './held.js'

export const completeBuild = command({
  name: 'plugin.builder.complete',
  summary: 'Submit the image of a build, as its builder',
  description:
    'The image is in the staging repository of the build. From now on the server owns the build: it reads the image from the registry and verifies all of it.',
  http: { method: 'post', path: '/builder/jobs/:jobId/complete', status: 202 },
  access: BUILDERS,
  tenant: noTenant,
  audit: NO_EVIDENCE,
  input: {
    ...onJob,
    body: strictObject({
      digest: Type.String({
        pattern: '^sha256:[0-9a-f]{64}$',
        'x-says': 'must be `sha256:` and 64 digits',
        examples: [`sha256:${'0'.repeat(64)}`],
        description: 'Of the manifest',
      }),
    }),
  },
  output: Done,
  errors: HELD_ERRORS,
  async prepare(context, { path: { jobId }, body: { digest } }) {
    const { runtime } = context
    const held = heldBy(context, jobId)
    const taken = createBuildQueue(runtime).takeOver(held, (tx, { fence }, { orgId }) =>
      enqueue(tx, runtime, { kind: FINISH_JOB, orgId: null, payload: { jobId, fence, digest, orgId } }),
    )
    await orStale(context, held, taken)
  },
  run: async () => unchanged({ done: true }),
})
