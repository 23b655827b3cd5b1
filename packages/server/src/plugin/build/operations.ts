/** Looking at builds, and the dead letters. Source: platform decisions 11. */
import { and, asc, count, desc, eq, gte, inArray, min, type SQL } from 'drizzle-orm'
import Type from 'typebox'
import { toIso, toIsoOrNull } from '../../runtime/clock.js'
import { notFound, Refusal } from '../../runtime/errors.js'
import { permission, systemAdmin } from '../../runtime/operation/access.js'
import { changed, type ReadContext, tenantId, unchanged } from '../../runtime/operation/context.js'
import { LIMIT_DEFAULT } from '../../runtime/operation/list.js'
import { command, fromHeader, query } from '../../runtime/operation/operation.js'
import { Instant, nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'
import { capacityOf } from '../../runtime/records/capacity.js'
import { requireCompliance } from '../../runtime/records/compliance.js'
import type { Db } from '../../runtime/store/db.js'
import { lockRow } from '../../runtime/store/postgres.js'
import { oneOf } from '../manifest/schema.js'
import { pluginAttributes } from '../record/attributes.js'
import { checkMayChange } from '../record/rights.js'
import { stamped } from '../record/update.js'
import { ownPlugin } from '../record/visible.js'
import { type BuildJobRow, pluginTables } from '../tables.js'
import { enqueueBuild } from './enqueue.js'
import { CATEGORIES } from './plan.js'

const HOUR_MS = 3_600_000
const COMPLETED_SHOWN_MS = HOUR_MS
const FAILED_SHOWN_MS = 24 * HOUR_MS
const TIERS = ['developer', 'pro', 'team', 'enterprise', 'unlimited'] as const
const SYSTEM_ADMINS = 'they see the builds of every organization'

const counts = {
  waiting: Type.Integer(),
  active: Type.Integer(),
  completed: Type.Integer({ description: 'In the last hour' }),
  failed: Type.Integer({ description: 'In the last day' }),
  delayed: Type.Integer(),
}
const Counts = strictObject(counts)

/** The jobs that the caller sees: the tenant's, and for a system administrator everybody's. */
function seen(context: Pick<ReadContext, 'authority'>, db: Db): SQL | undefined {
  const { buildJobs } = pluginTables(db)
  return context.authority.isSuperAdmin ? undefined : eq(buildJobs.orgId, tenantId(context as ReadContext))
}

export const queueStatus = query({
  name: 'plugin.queue.status',
  summary: 'Count the builds by state',
  http: { method: 'get', path: '/plugins/queue/status' },
  access: permission('plugins:publish'),
  tenant: fromHeader,
  acrossForSystemAdmins: SYSTEM_ADMINS,
  input: {},
  output: strictObject({
    ...counts,
    tiers: Type.Record(Type.String(), Counts),
    dlq: strictObject({ ...counts, total: Type.Integer(), exhausted: Type.Integer() }),
    oldestWaitingSeconds: Type.Integer(),
  }),
  errors: [],
  async run(context) {
    const { db, nowMs } = context
    const { buildJobs: t } = pluginTables(db)
    const rows = (
      await db
        .select({
          tier: t.tier,
          state: t.state,
          round: t.round,
          isExhausted: t.isExhausted,
          count: count(),
          oldestMs: min(t.createdAtMs),
        })
        .from(t)
        .where(and(seen(context, db), inArray(t.state, ['waiting', 'active', 'delayed', 'dead'])))
        .groupBy(t.tier, t.state, t.round, t.isExhausted)
    ).map((row) => ({ ...row, count: Number(row.count) }))
    const completed = await db
      .select({ tier: t.tier, round: t.round, count: count() })
      .from(t)
      .where(and(seen(context, db), eq(t.state, 'completed'), gte(t.finishedAtMs, nowMs - COMPLETED_SHOWN_MS)))
      .groupBy(t.tier, t.round)
    const failed = await db
      .select({ tier: t.tier, round: t.round, count: count() })
      .from(t)
      .where(and(seen(context, db), gte(t.failedAtMs, nowMs - FAILED_SHOWN_MS)))
      .groupBy(t.tier, t.round)
    const countsOf = (is: (row: { tier: string; round: number }) => boolean) => {
      const of = (state: string) =>
        rows.filter((row) => row.state === state && is(row)).reduce((sum, row) => sum + row.count, 0)
      const sum = (some: typeof completed) => some.filter(is).reduce((total, row) => total + Number(row.count), 0)
      return {
        waiting: of('waiting'),
        active: of('active'),
        delayed: of('delayed'),
        completed: sum(completed),
        failed: sum(failed),
      }
    }
    const dead = rows.filter(({ state }) => state === 'dead')
    const total = dead.reduce((sum, row) => sum + row.count, 0)
    const exhausted = dead.filter(({ isExhausted }) => isExhausted).reduce((sum, row) => sum + row.count, 0)
    const waiting = rows.flatMap(({ state, oldestMs }) =>
      state === 'waiting' && oldestMs !== null ? [Number(oldestMs)] : [],
    )
    return {
      ...countsOf(() => true),
      tiers: Object.fromEntries(TIERS.map((tier) => [tier, countsOf((row) => row.tier === tier)])),
      dlq: { ...countsOf(({ round }) => round > 0), total, exhausted },
      oldestWaitingSeconds: waiting.length === 0 ? 0 : Math.max(0, Math.floor((nowMs - Math.min(...waiting)) / 1000)),
    }
  },
})

const failedItem = {
  id: Uuid,
  name: Type.String(),
  pluginName: Type.String(),
  version: Type.String(),
  orgId: Uuid,
  error: nullable(Type.String()),
  attemptsMade: Type.Integer(),
  maxAttempts: Type.Integer(),
  failedAt: nullable(Instant),
  category: nullable(oneOf<string>(CATEGORIES)),
}

const failedView = (job: BuildJobRow, { PLUGIN_BUILD_MAX_ATTEMPTS }: { PLUGIN_BUILD_MAX_ATTEMPTS: number }) => ({
  id: job.id,
  name: `${job.pluginName}@${job.version}`,
  pluginName: job.pluginName,
  version: job.version,
  orgId: job.orgId,
  error: job.lastError,
  attemptsMade: job.attempts,
  maxAttempts: PLUGIN_BUILD_MAX_ATTEMPTS,
  failedAt: toIsoOrNull(job.failedAtMs),
  category: job.category,
})

const QueueQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50, 'x-clamp': true })),
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, 'x-clamp': true })),
  pluginName: Type.Optional(Type.String({ maxLength: 64 })),
  category: Type.Optional(oneOf(CATEGORIES)),
})

interface Page {
  readonly limit?: number
  readonly offset?: number
  readonly pluginName?: string
  readonly category?: string
}

async function failedJobs(context: ReadContext, page: Page, state: SQL | undefined) {
  const { db } = context
  const { buildJobs: t } = pluginTables(db)
  const where = and(
    seen(context, db),
    state,
    page.pluginName === undefined ? undefined : eq(t.pluginName, page.pluginName),
    page.category === undefined ? undefined : eq(t.category, page.category),
  )
  const rows = await db
    .select()
    .from(t)
    .where(where)
    .orderBy(desc(t.failedAtMs), asc(t.id))
    .limit(page.limit ?? LIMIT_DEFAULT * 5)
    .offset(page.offset ?? 0)
  const [all] = await db.select({ count: count() }).from(t).where(where)
  return { rows, total: Number(all?.count ?? 0) }
}

export const failedBuilds = query({
  name: 'plugin.queue.failed',
  summary: 'List builds that failed in the last day',
  http: { method: 'get', path: '/plugins/queue/failed' },
  access: permission('plugins:write'),
  tenant: fromHeader,
  acrossForSystemAdmins: SYSTEM_ADMINS,
  input: { query: QueueQuery },
  output: strictObject({ jobs: Type.Array(strictObject(failedItem)), total: Type.Integer() }),
  errors: [],
  async run(context, { query: page }) {
    const { buildJobs: t } = pluginTables(context.db)
    const { rows, total } = await failedJobs(context, page, gte(t.failedAtMs, context.nowMs - FAILED_SHOWN_MS))
    return { jobs: rows.map((job) => failedView(job, context.runtime.settings)), total }
  },
})

export const deadBuilds = query({
  name: 'plugin.dlq.list',
  summary: 'List the dead letters among builds',
  http: { method: 'get', path: '/plugins/queue/dlq' },
  access: permission('plugins:write'),
  tenant: fromHeader,
  acrossForSystemAdmins: SYSTEM_ADMINS,
  input: { query: QueueQuery },
  output: strictObject({
    jobs: Type.Array(
      strictObject({
        ...failedItem,
        failureCategory: oneOf<string>(['retryable', 'permanent']),
        lastError: nullable(Type.String()),
        totalAttempts: Type.Integer(),
        exhausted: Type.Boolean({ description: 'It is not tried again by itself' }),
        nextRetryAt: nullable(Instant),
        createdAt: Instant,
      }),
    ),
    total: Type.Integer(),
  }),
  errors: [],
  async run(context, { query: page }) {
    const { buildJobs: t } = pluginTables(context.db)
    const { rows, total } = await failedJobs(context, page, eq(t.state, 'dead'))
    return {
      jobs: rows.map((job) => ({
        ...failedView(job, context.runtime.settings),
        failureCategory: job.isPermanent ? 'permanent' : 'retryable',
        lastError: job.lastError,
        totalAttempts: job.totalAttempts,
        exhausted: job.isExhausted,
        nextRetryAt: job.isExhausted ? null : toIso(job.runAtMs),
        createdAt: toIso(job.createdAtMs),
      })),
      total,
    }
  },
})

/** @throws Refusal 404, the same for a job of another organization. */
async function jobOf(context: Pick<ReadContext, 'authority'>, db: Db, id: string): Promise<BuildJobRow> {
  const { buildJobs } = pluginTables(db)
  const [job] = await db
    .select()
    .from(buildJobs)
    .where(and(eq(buildJobs.id, id), eq(buildJobs.orgId, tenantId(context as ReadContext))))
  if (job === undefined) throw notFound('Build')
  return job
}

export const replayBuild = command({
  name: 'plugin.dlq.replay',
  summary: 'Build a dead letter again',
  description: 'The plugin is checked and takes its place again, as when it was uploaded.',
  http: { method: 'post', path: '/plugins/queue/dlq/:jobId/replay', status: 202 },
  access: permission('plugins:write', 'plugins:publish'),
  tenant: fromHeader,
  acrossOrganizations: 'places are those of the account',
  audit: ['plugin.dlq.replay'],
  input: { path: Type.Object({ jobId: Uuid }) },
  output: strictObject({ replayed: Type.Boolean(), dlqJobId: Uuid, newJobId: Uuid }),
  errors: [
    'NOT_FOUND',
    'CONFLICT',
    'QUOTA_EXCEEDED',
    'VALIDATION_ERROR',
    'INSUFFICIENT_PERMISSIONS',
    'COMPLIANCE_VIOLATION',
    'COMPLIANCE_SERVICE_UNAVAILABLE',
    'SERVICE_UNAVAILABLE',
  ],
  async prepare(context, { path: { jobId } }) {
    const plugin = await context.read(async (db) => {
      const job = await jobOf(context, db, jobId)
      if (job.state !== 'dead') throw notDead(job)
      return ownPlugin(db, job.orgId, job.pluginId)
    })
    await checkMayChange(context, plugin)
    await requireCompliance(context, {
      target: 'plugin',
      action: 'upload',
      attributes: pluginAttributes(plugin),
      entityId: plugin.id,
      entityName: plugin.name,
    })
    return plugin.revision
  },
  async run(context, { path: { jobId } }, revision) {
    const { tx, runtime } = context
    await lockRow(tx, 'build_jobs', jobId)
    const job = await jobOf(context, tx, jobId)
    if (job.state !== 'dead') throw notDead(job)
    const plugin = await ownPlugin(tx, job.orgId, job.pluginId)
    if (plugin.revision !== revision) throw new Refusal('CONFLICT', 'the plugin changed while it was checked')
    // A plugin whose build failed for good holds no place.
    if (plugin.buildStatus === 'failed') await capacityOf(runtime).take(tx, job.orgId, 'plugins', 1)
    const newJobId = await enqueueBuild(context, plugin)
    const { plugins } = pluginTables(tx)
    const { revision: next, updatedAtMs, updatedBy } = stamped(context, plugin)
    await tx
      .update(plugins)
      .set({ buildStatus: 'queued', revision: next, updatedAtMs, updatedBy })
      .where(and(eq(plugins.id, plugin.id), eq(plugins.orgId, plugin.orgId)))
    await context.audit('plugin.dlq.replay', {
      targetType: 'plugin',
      targetId: plugin.id,
      details: { id: jobId, name: plugin.name },
    })
    return changed({ replayed: true, dlqJobId: jobId, newJobId })
  },
})

const notDead = ({ state }: BuildJobRow): Refusal =>
  new Refusal('CONFLICT', `the build is ${state}: only a dead letter is replayed`)

export const purgeDeadBuilds = command({
  name: 'plugin.dlq.purge',
  summary: 'Remove every dead letter of every organization',
  http: { method: 'delete', path: '/plugins/queue/dlq' },
  access: systemAdmin(),
  tenant: fromHeader,
  acrossForSystemAdmins: SYSTEM_ADMINS,
  audit: ['plugin.dlq.purge'],
  input: {},
  output: strictObject({ purged: Type.Integer() }),
  errors: [],
  async run(context) {
    const { buildJobs } = pluginTables(context.tx)
    const gone = await context.tx.delete(buildJobs).where(eq(buildJobs.state, 'dead')).returning({ id: buildJobs.id })
    if (gone.length === 0) return unchanged({ purged: 0 })
    await context.audit('plugin.dlq.purge', {
      targetType: 'plugin',
      details: { reason: `${gone.length} dead letters` },
    })
    return changed({ purged: gone.length })
  },
})

const Build = strictObject({
  jobId: Uuid,
  orgId: Uuid,
  pluginId: Uuid,
  pluginName: Type.String(),
  version: Type.String(),
  buildType: Type.String(),
  state: oneOf<string>(['waiting', 'delayed', 'active', 'completed', 'dead', 'cancelled']),
  round: Type.Integer({ description: '0 for the first tries, then each automatic round of the dead letters' }),
  totalAttempts: Type.Integer(),
  exhausted: Type.Boolean(),
  error: nullable(Type.String()),
  category: nullable(oneOf<string>(CATEGORIES)),
  nextRunAt: nullable(Instant),
  createdAt: Instant,
  startedAt: nullable(Instant),
  finishedAt: nullable(Instant),
})

const onJob = Type.Object({ jobId: Uuid })

export const getBuild = query({
  name: 'plugin.build.get',
  summary: 'Get a build',
  http: { method: 'get', path: '/plugins/builds/:jobId' },
  access: permission('plugins:read'),
  tenant: fromHeader,
  input: { path: onJob },
  output: strictObject({ build: Build }),
  errors: ['NOT_FOUND'],
  async run(context, { path: { jobId } }) {
    const job = await jobOf(context, context.db, jobId)
    const isPending = job.state === 'waiting' || job.state === 'delayed' || (job.state === 'dead' && !job.isExhausted)
    return {
      build: {
        jobId: job.id,
        orgId: job.orgId,
        pluginId: job.pluginId,
        pluginName: job.pluginName,
        version: job.version,
        buildType: job.buildType,
        state: job.state,
        round: job.round,
        totalAttempts: job.totalAttempts,
        exhausted: job.isExhausted,
        error: job.lastError,
        category: job.category,
        nextRunAt: isPending ? toIso(job.runAtMs) : null,
        createdAt: toIso(job.createdAtMs),
        startedAt: toIsoOrNull(job.startedAtMs),
        finishedAt: toIsoOrNull(job.finishedAtMs),
      },
    }
  },
})

export const getBuildLog = query({
  name: 'plugin.build.log',
  summary: 'Read the log of a build',
  http: { method: 'get', path: '/plugins/builds/:jobId/logs' },
  access: permission('plugins:read'),
  tenant: fromHeader,
  input: { path: onJob },
  media: 'text/plain; charset=utf-8',
  output: Type.String(),
  errors: ['NOT_FOUND'],
  run: async (context, { path: { jobId } }) => (await jobOf(context, context.db, jobId)).log,
})

export const buildOperations = [
  queueStatus,
  failedBuilds,
  deadBuilds,
  replayBuild,
  purgeDeadBuilds,
  getBuild,
  getBuildLog,
] as const
