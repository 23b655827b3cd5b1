/** `GET /builder/jobs/:jobId/token`: a token of the registry, for the staging repository of the build alone. */
import Type from 'typebox'
import { tokenFor } from '../../registry/index.js'
import { noTenant, query } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { stagingOf } from '../build/staging.js'
import { BUILDERS, HELD_ERRORS, heldJob, onJob } from './held.js'

export const getBuildToken = query({
  name: 'plugin.builder.get-token',
  summary: 'Get a token of the registry for the image of a build, as its builder',
  http: { method: 'get', path: '/builder/jobs/:jobId/token' },
  access: BUILDERS,
  tenant: noTenant,
  secretOutput: true,
  input: onJob,
  output: strictObject({ token: Type.String(), expiresIn: Type.Integer({ description: 'Seconds' }) }),
  errors: [...HELD_ERRORS, 'REGISTRY_NOT_CONFIGURED'],
  async prepare(context, { path: { jobId } }) {
    const job = await heldJob(context, jobId)
    const name = stagingOf(job.id)
    return tokenFor(context.runtime, `builder:${job.worker}`, [{ type: 'repository', name, actions: ['pull', 'push'] }])
  },
  run: async ({ runtime }, _input, token) => ({ token, expiresIn: runtime.settings.REGISTRY_TOKEN_TTL_SECONDS }),
})
