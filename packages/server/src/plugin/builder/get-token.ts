/** `GET /builder/jobs/:jobId/token`: a token of the registry, for the staging repository of the build alone. */
import Type from 'typebox'
import { tenantKeyOf } from '../../identity/index.js'
import { mayPull, tokenFor } from '../../registry/index.js'
import { insufficient } from '../../runtime/errors.js'
import { noTenant, query } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { stagingOf } from '../build-job/staging.js'
import { BUILDERS, HELD_ERRORS, heldJob, onJob } from './held.js'

export const getBuildToken = query({
  name: 'plugin.builder.get-token',
  summary: 'Get a token of the registry for the image of a build, as its builder',
  description:
    'For the staging repository of the build; with `pull` for a base image, which is one that the organization of the plugin may pull.',
  http: { method: 'get', path: '/builder/jobs/:jobId/token' },
  access: BUILDERS,
  tenant: noTenant,
  secretOutput: true,
  input: {
    ...onJob,
    query: Type.Object({
      pull: Type.Optional(Type.String({ maxLength: 255, description: 'The repository of a base image' })),
    }),
  },
  output: strictObject({ token: Type.String(), expiresIn: Type.Integer({ description: 'Seconds' }) }),
  errors: [...HELD_ERRORS, 'INSUFFICIENT_PERMISSIONS', 'REGISTRY_NOT_CONFIGURED'],
  async prepare(context, { path: { jobId }, query: { pull } }) {
    const { runtime } = context
    const job = await heldJob(context, jobId)
    const subject = `builder:${job.worker}`
    if (pull === undefined) {
      return tokenFor(runtime, subject, [{ type: 'repository', name: stagingOf(job.id), actions: ['pull', 'push'] }])
    }
    const key = await tenantKeyOf(runtime.store, job.orgId)
    // guard: a-build-pulls-what-its-organization-may
    if (!(await mayPull(job.orgId, key?.readableOrgIds ?? [], pull))) {
      throw insufficient('permission', 'the organization of the plugin may not pull this image')
    }
    return tokenFor(runtime, subject, [{ type: 'repository', name: pull, actions: ['pull'] }])
  },
  run: async ({ runtime }, _input, token) => ({ token, expiresIn: runtime.settings.REGISTRY_TOKEN_TTL_SECONDS }),
})
