/** `GET /plugins/builds` and `GET /plugins/builds/:jobId`. */
import { and, eq, getTableColumns } from 'drizzle-orm'
import Type from 'typebox'
import { toIso, toIsoOrNull } from '../../runtime/clock.js'
import { equals } from '../../runtime/operation/filters.js'
import { countRows, listOf } from '../../runtime/operation/list.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { Instant, nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'
import { oneOf } from '../manifest/schema.js'
import { READ_PLUGINS } from '../record/get.js'
import { type BuildJobRow, pluginTables } from '../tables.js'
import { BUILD_STATES, CATEGORIES } from './plan.js'
import { jobOf, SYSTEM_ADMINS, seen } from './seen.js'
import { isShownAs, shownState } from './shown-state.js'

const Build = strictObject({
  jobId: Uuid,
  orgId: Uuid,
  pluginId: Uuid,
  pluginName: Type.String(),
  version: Type.String(),
  buildType: Type.String(),
  state: oneOf<string>(BUILD_STATES),
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

/** A row with the state that is shown in place of the stored one. */
function buildView(job: BuildJobRow) {
  const isPending = job.state === 'waiting' || job.state === 'delayed' || (job.state === 'dead' && !job.isExhausted)
  return {
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
  }
}

export const getBuild = query({
  name: 'plugin.build.get',
  summary: 'Get a build',
  http: { method: 'get', path: '/plugins/builds/:jobId' },
  access: READ_PLUGINS,
  tenant: fromHeader,
  input: { path: Type.Object({ jobId: Uuid }) },
  output: strictObject({ build: Build }),
  errors: ['NOT_FOUND'],
  async run(context, { path: { jobId } }) {
    const job = await jobOf(context, context.db, jobId)
    const { buildJobs: t } = pluginTables(context.db)
    const [shown] = await context.db
      .select({ state: shownState(context) })
      .from(t)
      .where(and(eq(t.id, job.id), eq(t.orgId, job.orgId)))
    return { build: buildView({ ...job, ...shown }) }
  },
})

const builds = listOf({
  key: 'builds',
  item: Build,
  filters: {
    state: Type.Optional(oneOf(BUILD_STATES)),
    pluginName: Type.Optional(Type.String({ maxLength: 64, description: 'Of this plugin, in every version' })),
    pluginId: Type.Optional(Uuid),
  },
  sortBy: ['createdAt'],
})

export const listBuilds = query({
  name: 'plugin.build.list',
  summary: 'List builds',
  description: 'Those that wait and run, and those that ended within thirty days.',
  http: { method: 'get', path: '/plugins/builds' },
  access: READ_PLUGINS,
  tenant: fromHeader,
  acrossForSystemAdmins: SYSTEM_ADMINS,
  input: { query: builds.query },
  output: builds.output,
  errors: ['VALIDATION_ERROR'],
  async run(context, { query: asked }) {
    const { db } = context
    const { buildJobs: t } = pluginTables(db)
    const { state, pluginName, pluginId } = asked as { state?: string; pluginName?: string; pluginId?: string }
    const where = and(
      seen(context, db),
      state === undefined ? undefined : isShownAs(context, state),
      equals(t.pluginName, pluginName),
      equals(t.pluginId, pluginId),
    )
    return builds.rows<BuildJobRow, ReturnType<typeof buildView>>({
      columns: { createdAt: t.createdAtMs },
      id: t.id,
      query: asked,
      fetch: ({ after, orderBy, limit, offset }) =>
        db
          .select({ ...getTableColumns(t), state: shownState(context) })
          .from(t)
          .where(and(where, after))
          .orderBy(...orderBy)
          .limit(limit)
          .offset(offset),
      count: (atMost) => countRows(db, t, where, atMost),
      place: (row) => ({ value: row.createdAtMs, id: row.id }),
      present: buildView,
    })
  },
})
