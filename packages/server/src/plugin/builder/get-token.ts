/**
 * `GET /builder/jobs/:jobId/token`: a registry token, for the staging repository of the build, or to pull a base image.
 */
import Type from 'typebox'
import { tenantKeyOf } from '../../identity/index.js'
import { isPushHeld, mayPull, tokenFor } from '../../registry/index.js'
import { insufficient, Refusal } from '../../runtime/errors.js'
import { noTenant, query } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { stagingOf } from '../build-job/staging.js'
import { BUILDERS, HELD_ERRORS, heldJob, onJob } from './held.js'

export const getBuildToken = query({
  name: 'plugin.builder.get-token',
  summary: 'Get a token of the registry for the image of a build, as its builder',
  description:
    'For the staging repository of the build; with `pull` for a base image that the organization of the plugin can pull.',
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
  errors: [...HELD_ERRORS, 'INSUFFICIENT_PERMISSIONS', 'REGISTRY_NOT_CONFIGURED', 'SERVICE_UNAVAILABLE'],
  async prepare(context, { path: { jobId }, query: { pull } }) {
    const { runtime } = context
    const job = await heldJob(context, jobId)
    const subject = `builder:${job.worker}`
    if (pull === undefined) {
      // guard: builds-wait-while-the-registry-is-collected
      if (await context.read((db) => isPushHeld(db, context.nowMs))) {
        throw new Refusal('SERVICE_UNAVAILABLE', 'the registry is being garbage-collected: release the build')
      }
      return tokenFor(runtime, subject, [{ type: 'repository', name: stagingOf(job.id), actions: ['pull', 'push'] }])
    }
    const key = await tenantKeyOf(runtime.store, job.orgId)
    // guard: a-build-pulls-what-its-organization-may
    if (!(await mayPull(job.orgId, key?.readableOrgIds ?? [], pull))) {
      throw insufficient('permission', 'the organization of the plugin cannot pull this image')
    }
    return tokenFor(runtime, subject, [{ type: 'repository', name: pull, actions: ['pull'] }])
  },
  run: async ({ runtime }, _input, token) => ({ token, expiresIn: runtime.settings.REGISTRY_TOKEN_TTL_SECONDS }),
})
