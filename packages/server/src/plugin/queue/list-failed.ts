/** List builds that failed in the last day. Source: spec platform 11. */
import { gte } from 'drizzle-orm'
import { permission } from '../../runtime/operation/access.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { failedItem, failedJobs, failedView, pageOf, QueueQuery } from '../build/failures.js'
import { FAILED_SHOWN_MS } from '../build/plan.js'
import { LOOKING, SYSTEM_ADMINS } from '../build/visible.js'
import { pluginTables } from '../tables.js'

export const listFailedBuilds = query({
  name: 'plugin.queue.list-failed',
  summary: 'List builds that failed in the last day',
  http: { method: 'get', path: '/plugins/queue/failed' },
  access: permission('plugins:write'),
  tenant: fromHeader,
  acrossForSystemAdmins: SYSTEM_ADMINS,
  uncounted: LOOKING,
  input: { query: QueueQuery },
  output: pageOf(strictObject(failedItem)),
  errors: [],
  run(context, { query: asked }) {
    const { buildJobs: t } = pluginTables(context.db)
    const isRecent = gte(t.failedAtMs, context.nowMs - FAILED_SHOWN_MS)
    return failedJobs(context, asked, isRecent, (job) => failedView(job, context.runtime.settings))
  },
})
