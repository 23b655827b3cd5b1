/** `GET /builder/jobs/:jobId/archive`: the archive to build. */
import { Refusal } from '../../runtime/errors.js'
import { file } from '../../runtime/operation/file.js'
import { noTenant } from '../../runtime/operation/operation.js'
import { BUILDERS, HELD_ERRORS, heldJob, onJob } from './held.js'

export const getBuildArchive = file({
  name: 'plugin.builder.get-archive',
  summary: 'Get the archive of a build, as its builder',
  http: { method: 'get', path: '/builder/jobs/:jobId/archive' },
  access: BUILDERS,
  tenant: noTenant,
  input: onJob,
  errors: [...HELD_ERRORS, 'RANGE_NOT_SATISFIABLE', 'UPSTREAM_ERROR', 'SERVICE_UNAVAILABLE'],
  async open(context, { path: { jobId } }) {
    const job = await heldJob(context, jobId)
    const { blobs } = context.runtime
    const found = await blobs?.stat(job.archiveKey)
    if (blobs === undefined || found === null || found === undefined) {
      throw new Refusal('SERVICE_UNAVAILABLE', 'the archive of the build is missing')
    }
    return {
      media: 'application/zip',
      fileName: `${job.pluginName}.zip`,
      isInline: false,
      bytes: found.bytes,
      open: (range) => blobs.open(job.archiveKey, range),
    }
  },
})
