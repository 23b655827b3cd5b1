/** `POST /builder/claims`: the next build, for a builder that waits for one. */
import { setTimeout as sleep } from 'node:timers/promises'
import Type, { type Static } from 'typebox'
import { toIso } from '../../runtime/clock.js'
import { type PrepareContext, unchanged } from '../../runtime/operation/context.js'
import { command, noTenant } from '../../runtime/operation/operation.js'
import { Instant, nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'
import { livePlugin } from '../build/plugin-state.js'
import { type BuildClaim, createBuildQueue } from '../build/queue.js'
import { secretsOf } from '../build-job/secrets.js'
import { registryUrl, stagingOf } from '../build-job/staging.js'
import { BUILDERS, NO_EVIDENCE } from './held.js'

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
  dockerfile: Type.String({ description: 'Its text; empty for a prebuilt image' }),
  buildArgs: Type.Record(Type.String(), Type.String()),
  smokeTest: nullable(Type.String()),
  archiveBytes: Type.Integer(),
  archiveSha256: nullable(Type.String()),
  extractBytesMax: Type.Integer(),
  hasSecrets: Type.Boolean(),
  registry: strictObject({ url: Type.String(), repository: Type.String({ description: 'Where the image is put' }) }),
})
type Job = Static<typeof Job>

export const claimBuild = command({
  name: 'plugin.builder.claim',
  summary: 'Claim a build, as a builder',
  description:
    'Answers the next build, or 204 when none was due while it waited. The builder reports within 60 s that it lives, at least every 20 s.',
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
      version: Type.Optional(Type.String({ maxLength: 50 })),
      capabilities: Type.Optional(Type.Array(Type.String({ maxLength: 50 }), { maxItems: 20 })),
      wait: Type.Optional(Type.Integer({ minimum: 0, maximum: WAIT_S_MAX, description: 'Seconds' })),
    }),
  },
  output: strictObject({ job: nullable(Job) }),
  errors: ['REGISTRY_NOT_CONFIGURED', 'SERVICE_UNAVAILABLE'],
  async prepare(context, { body: { name, wait = 0 } }): Promise<Job | null> {
    const { runtime } = context
    registryUrl(runtime)
    const queue = createBuildQueue(runtime)
    const untilMs = Date.now() + wait * 1000
    for (;;) {
      const claimed = await queue.claim(name)
      const job = claimed === null ? null : await jobOf(context, claimed)
      if (job !== null) return job
      if (claimed === null) {
        if (Date.now() >= untilMs || context.signal.aborted) return null
        await sleep(LOOKED_MS, undefined, { ref: false })
      }
    }
  },
  run: async (_context, _input, job) => unchanged({ job }),
})

/** What the builder is told; null for a build that ended before it began. */
async function jobOf(context: PrepareContext, claimed: BuildClaim): Promise<Job | null> {
  const { runtime } = context
  const queue = createBuildQueue(runtime)
  const plugin = await context.read((db) => livePlugin(db, claimed))
  if (plugin === null) {
    await queue.fail(claimed, { category: 'other', message: 'the plugin is gone', isPermanent: true })
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
    dockerfile: plugin.dockerfile ?? '',
    buildArgs: { ...plugin.buildArgs },
    smokeTest: plugin.smokeTest,
    archiveBytes: plugin.archiveBytes,
    archiveSha256: plugin.archiveSha256,
    extractBytesMax: settings.PLUGIN_MAX_EXTRACT_BYTES ?? settings.PLUGIN_MAX_UPLOAD_MB * 4 * 1024 ** 2,
    hasSecrets: given.length > 0,
    registry: { url: registryUrl(runtime), repository: stagingOf(claimed.jobId) },
  }
}
