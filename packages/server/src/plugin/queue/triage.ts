/** Failed builds grouped by the reason of their failure, so that the most frequent one can be handled first. */
import { and, count, inArray, max, sql } from 'drizzle-orm'
import Type from 'typebox'
import { permission } from '../../runtime/operation/access.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { nullable, strictObject } from '../../runtime/operation/schema.js'
import { failedItem, failedView } from '../build/failures.js'
import { CATEGORIES } from '../build/plan.js'
import { LOOKING, SYSTEM_ADMINS, seen } from '../build/visible.js'
import { oneOf } from '../manifest/schema.js'
import { pluginTables } from '../tables.js'

export const triageBuilds = query({
  name: 'plugin.queue.triage',
  summary: 'Group failed builds by the reason of their failure',
  description:
    'Dead letters and builds that wait for another attempt, the most frequent reason first, each with its newest example.',
  http: { method: 'get', path: '/plugins/queue/triage' },
  access: permission('plugins:write'),
  tenant: fromHeader,
  acrossForSystemAdmins: SYSTEM_ADMINS,
  uncounted: LOOKING,
  input: {},
  output: strictObject({
    categories: Type.Array(
      strictObject({
        category: oneOf<string>(CATEGORIES),
        count: Type.Integer(),
        exhausted: Type.Integer({ description: 'Builds that are not retried automatically' }),
        newest: nullable(strictObject(failedItem)),
      }),
    ),
    total: Type.Integer(),
  }),
  errors: [],
  async run(context) {
    const { db, runtime } = context
    const { buildJobs: t } = pluginTables(db)
    const hasFailed = and(seen(context, db), inArray(t.state, ['dead', 'delayed']), sql`${t.category} IS NOT NULL`)
    const groups = await db
      .select({
        category: t.category,
        count: count(),
        exhausted: count(sql`CASE WHEN ${t.state} = 'dead' AND ${t.isExhausted} THEN 1 END`),
        newest: max(t.id),
      })
      .from(t)
      .where(hasFailed)
      .groupBy(t.category)
    const newest = await db
      .select()
      .from(t)
      .where(
        and(
          seen(context, db),
          inArray(
            t.id,
            groups.map((group) => group.newest ?? ''),
          ),
        ),
      )
    const categories = groups
      .map((group) => {
        const job = newest.find(({ id }) => id === group.newest)
        return {
          category: group.category ?? 'unknown',
          count: Number(group.count),
          exhausted: Number(group.exhausted),
          newest: job === undefined ? null : failedView(job, runtime.settings),
        }
      })
      .sort((a, b) => b.count - a.count || (a.category < b.category ? -1 : 1))
    return { categories, total: categories.reduce((sum, { count: some }) => sum + some, 0) }
  },
})
