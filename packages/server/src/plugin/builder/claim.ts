/** `POST /builder/claims`: the next build, for a waiting builder. */
import Type, { type Static } from 'typebox'
import { toIso } from '../../runtime/clock.js'
import { type PrepareContext, unchanged } from '../../runtime/operation/context.js'
import { command, noTenant } from '../../runtime/operation/operation.js'
import { Instant, nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'
import { livePlugin } from '../build/plugin-state.js'
import { type BuildClaim, createBuildQueue } from '../build/queue.js'
import { secretsOf } from '../build-job/secrets.js'
import { registryUrl, stagingOf } from '../build-job/staging.js'
import { buildDue } from '../build-job/wake-builders.js'
import { Base, BUILDERS, Fault, holderOf, NO_EVIDENCE } from './held.js'

const WAIT_S_MAX = 30
const LOOKED_MS = 1000

const Job = strictObject({
  id: Uuid,
  fence: Type.Integer({ description: 'For the header `X-Build-Fence` of every request about the build' }),
  pluginName: Type.String(),
  version: Type.String(),
  buildType: Type.String(),
  attempt: Type.Integer(),
  leaseUntil: Instant,
  timeoutAt: Instant,
  timeoutSeconds: Type.Integer({
    description: 'How long it may take from now on: the clock of the builder may be wrong',
  }),
  dockerfile: Type.String({ description: 'Its text; empty for a prebuilt image' }),
  buildArgs: Type.Record(Type.String(), Type.String()),
  smokeTest: nullable(Type.String()),
  archiveBytes: Type.Integer(),
  archiveSha256: nullable(Type.String()),
  extractBytesMax: Type.Integer(),
  hasSecrets: Type.Boolean(),
  bases: Type.Array(Base, {
    description: 'Base images of an earlier attempt: a tag is resolved once per build',
  }),
  registry: strictObject({
    url: Type.String(),
    repository: Type.String({ description: 'The repository for the image' }),
  }),
})
type Job = Static<typeof Job>

export const claimBuild = command({
  name: 'plugin.builder.claim',
  summary: 'Claim a build, as a builder',
  description:
    'Answers with the next build, or 204 when none was due while the request waited. The builder must report to the server within 60 s, and at least every 20 s.',
  http: { method: 'post', path: '/builder/claims' },
  access: BUILDERS,
  tenant: noTenant,
  audit: NO_EVIDENCE,
  otherStatuses: [204],
  statusOf: ({ job }) => (job === null ? 204 : 200),
  input: {
    body: strictObject({
      name: Type.String({
        minLength: 1,
        maxLength: 100,
        pattern: '^[A-Za-z0-9._-]+$',
        'x-says': 'must be letters, digits, dots, underscores and hyphens',
        description: 'Of the builder',
      }),
      machine: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 64,
          pattern: '^[A-Za-z0-9._-]+$',
          'x-says': 'must be letters, digits, dots, underscores and hyphens',
          description: 'On which it runs: builders of several machines may share a name',
        }),
      ),
      version: Type.Optional(Type.String({ maxLength: 50 })),
      capabilities: Type.Optional(Type.Array(Type.String({ maxLength: 50 }), { maxItems: 20 })),
      fault: Type.Optional(nullable(Fault)),
      wait: Type.Optional(Type.Integer({ minimum: 0, maximum: WAIT_S_MAX, description: 'Seconds' })),
    }),
  },
  output: strictObject({ job: nullable(Job) }),
  errors: ['REGISTRY_NOT_CONFIGURED', 'SERVICE_UNAVAILABLE'],
  isWaiting: true,
  async prepare(context, { body }): Promise<Job | null> {
    const { runtime } = context
    const { wait = 0, version = null, capabilities = [], fault } = body
    registryUrl(runtime)
    const queue = createBuildQueue(runtime)
    const name = body.machine === undefined ? body.name : `${body.name}@${body.machine}`
    await queue.describe(name, { version, capabilities, fault })
    // guard: a-builder-with-a-fault-gets-no-build
    if (fault !== undefined && fault !== null) return null
    const untilMs = Date.now() + wait * 1000
    const holder = holderOf(context)
    while (!context.signal.aborted) {
      const claimed = await queue.claim(name, holder)
      const job = claimed === null ? null : await jobOf(context, claimed)
      if (job !== null) {
        if (!context.signal.aborted) return job
        // Nobody reads the answer any more: the attempt does not count.
        await queue.release({ jobId: job.id, fence: job.fence, holder })
        return null
      }
      if (claimed === null) {
        if (Date.now() >= untilMs) return null
        await buildDue(runtime, LOOKED_MS)
      }
    }
    return null
  },
  run: async (_context, _input, job) => unchanged({ job }),
})

/** What the builder gets; null for a build that failed before it started. */
async function jobOf(context: PrepareContext, claimed: BuildClaim): Promise<Job | null> {
  const { runtime } = context
  const queue = createBuildQueue(runtime)
  const plugin = await context.read((db) => livePlugin(db, claimed))
  if (plugin === null) {
    await queue.fail(claimed, { category: 'other', message: 'the plugin was deleted', isPermanent: true })
    return null
  }
  const { given, problem } = await context.read((db) => secretsOf(db, runtime, plugin))
  // guard: a-build-begins-with-its-secrets
  if (problem !== null) {
    await queue.fail(claimed, { category: 'auth-secrets', message: problem, isPermanent: true })
    return null
  }
  const { settings } = runtime
  return {
    id: claimed.jobId,
    fence: claimed.fence,
    pluginName: claimed.pluginName,
    version: claimed.version,
    buildType: claimed.buildType,
    attempt: claimed.attempt,
    leaseUntil: toIso(claimed.leaseUntilMs),
    timeoutAt: toIso(claimed.timeoutAtMs),
    timeoutSeconds: settings.PLUGIN_BUILD_TIMEOUT_SECONDS,
    dockerfile: plugin.dockerfile ?? '',
    buildArgs: { ...plugin.buildArgs },
    smokeTest: plugin.smokeTest,
    archiveBytes: plugin.archiveBytes,
    archiveSha256: plugin.archiveSha256,
    extractBytesMax: settings.PLUGIN_MAX_EXTRACT_BYTES ?? settings.PLUGIN_MAX_UPLOAD_MB * 4 * 1024 ** 2,
    hasSecrets: given.length > 0,
    bases: [...claimed.bases],
    registry: { url: registryUrl(runtime), repository: stagingOf(claimed.jobId) },
  }
}
