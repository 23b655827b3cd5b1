/** List the dead letters of builds. Source: spec platform 11. */
import { eq } from 'drizzle-orm'
import Type from 'typebox'
import { toIso } from '../../runtime/clock.js'
import { permission } from '../../runtime/operation/access.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { Instant, nullable, strictObject } from '../../runtime/operation/schema.js'
import { failedItem, failedJobs, failedView, pageOf, QueueQuery } from '../build/failures.js'
import { LOOKING, SYSTEM_ADMINS } from '../build/visible.js'
import { oneOf } from '../manifest/schema.js'
import { pluginTables } from '../tables.js'

export const listDeadBuilds = query({
  name: 'plugin.dlq.list',
  summary: 'List the dead letters among builds',
  http: { method: 'get', path: '/plugins/queue/dlq' },
  access: permission('plugins:write'),
  tenant: fromHeader,
  acrossForSystemAdmins: SYSTEM_ADMINS,
  uncounted: LOOKING,
  input: { query: QueueQuery },
  output: pageOf(
    strictObject({
      ...failedItem,
      failureCategory: oneOf<string>(['retryable', 'permanent']),
      lastError: nullable(Type.String()),
      totalAttempts: Type.Integer(),
      exhausted: Type.Boolean({ description: 'Whether it is not retried automatically' }),
      nextRetryAt: nullable(Instant),
      createdAt: Instant,
    }),
  ),
  errors: [],
  run(context, { query: asked }) {
    const { buildJobs: t } = pluginTables(context.db)
    return failedJobs(context, asked, eq(t.state, 'dead'), (job) => ({
      ...failedView(job, context.runtime.settings),
      failureCategory: job.isPermanent ? 'permanent' : 'retryable',
      lastError: job.lastError,
      totalAttempts: job.totalAttempts,
      exhausted: job.isExhausted,
      nextRetryAt: job.isExhausted ? null : toIso(job.runAtMs),
      createdAt: toIso(job.createdAtMs),
    }))
  },
})
