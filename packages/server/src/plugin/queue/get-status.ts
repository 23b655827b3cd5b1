/** `GET /plugins/queue/status`. Source: spec platform 11. */
import { and, count, eq, gte, inArray, min, sql } from 'drizzle-orm'
import Type from 'typebox'
import { permission } from '../../runtime/operation/access.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { COMPLETED_SHOWN_MS, FAILED_SHOWN_MS } from '../build/plan.js'
import { shownState } from '../build/shown-state.js'
import { LOOKING, SYSTEM_ADMINS, seen } from '../build/visible.js'
import { pluginTables } from '../tables.js'
import { Builders, buildersOf } from './builders.js'

const TIERS = ['developer', 'pro', 'team', 'enterprise', 'unlimited'] as const

const counts = {
  waiting: Type.Integer({ description: 'Whether a builder could take them now' }),
  active: Type.Integer(),
  completed: Type.Integer({ description: 'In the last hour' }),
  failed: Type.Integer({ description: 'In the last day' }),
  delayed: Type.Integer({
    description: "They wait for their back-off, or for the organization's share of the builders",
  }),
}
const Counts = strictObject(counts)

export const getQueueStatus = query({
  name: 'plugin.queue.get-status',
  summary: 'Count the builds by state, and list the builders',
  http: { method: 'get', path: '/plugins/queue/status' },
  access: permission('plugins:publish'),
  tenant: fromHeader,
  acrossForSystemAdmins: SYSTEM_ADMINS,
  uncounted: LOOKING,
  input: {},
  output: strictObject({
    ...counts,
    tiers: Type.Record(Type.String(), Counts),
    dlq: strictObject({ ...counts, total: Type.Integer(), exhausted: Type.Integer() }),
    oldestWaitingSeconds: Type.Integer(),
    builders: Builders,
  }),
  errors: [],
  async run(context) {
    const { db, nowMs } = context
    const { buildJobs: t } = pluginTables(db)
    const shown = db
      .select({
        tier: t.tier,
        stored: t.state,
        state: shownState(context).as('shown'),
        round: t.round,
        isExhausted: t.isExhausted,
        createdAtMs: t.createdAtMs,
      })
      .from(t)
      .where(and(seen(context, db), inArray(t.state, ['waiting', 'active', 'delayed', 'dead'])))
      .as('shown_jobs')
    const rows = (
      await db
        .select({
          tier: shown.tier,
          stored: shown.stored,
          state: shown.state,
          round: shown.round,
          isExhausted: shown.isExhausted,
          count: count(),
          oldestMs: min(shown.createdAtMs),
        })
        .from(shown)
        .groupBy(shown.tier, shown.stored, sql`${shown.state}`, shown.round, shown.isExhausted)
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
    // Builds that have not started, including those whose organization is at its limit.
    const waiting = rows.flatMap(({ stored, oldestMs }) =>
      stored === 'waiting' && oldestMs !== null ? [Number(oldestMs)] : [],
    )
    return {
      ...countsOf(() => true),
      tiers: Object.fromEntries(TIERS.map((tier) => [tier, countsOf((row) => row.tier === tier)])),
      dlq: { ...countsOf(({ round }) => round > 0), total, exhausted },
      oldestWaitingSeconds: waiting.length === 0 ? 0 : Math.max(0, Math.floor((nowMs - Math.min(...waiting)) / 1000)),
      builders: await buildersOf(context),
    }
  },
})
