/** `GET /pipelines/:id/executions`: the runs of one pipeline. */
import Type from 'typebox'
import { permission } from '../../runtime/operation/access.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { EXECUTION_FIELDS, ExecutionItem, ExecutionPage, PAGE_QUERY, pageOfExecutions } from '../execution/page.js'
import { RANGE_QUERY, RangeEcho, rangeOf } from '../report/range.js'
import { OVER_TEAMS } from '../report/report.js'
import { SCOPE_QUERY, scopeOf } from '../report/scope.js'
import { tableOf } from '../report/table.js'
import { retentionOf } from '../retention.js'

export const listPipelineExecutions = query({
  name: 'reporting.pipeline-execution.list',
  summary: 'List the runs of a pipeline, the newest first',
  http: { method: 'get', path: '/pipelines/:id/executions' },
  access: permission('pipelines:read', 'reports:read'),
  tenant: fromHeader,
  acrossWhen: OVER_TEAMS,
  snapshot: true,
  input: {
    path: Type.Object({ id: Uuid }),
    query: Type.Object({ includeDescendants: SCOPE_QUERY.includeDescendants, ...RANGE_QUERY, ...PAGE_QUERY }),
  },
  output: strictObject({ executions: Type.Array(ExecutionItem), pagination: ExecutionPage, range: RangeEcho }),
  errors: ['NOT_FOUND'],
  forms: { csv: ({ executions }) => tableOf(executions, EXECUTION_FIELDS) },
  async run(context, { path, query: asked }) {
    const { factDays } = await retentionOf(context)
    const range = rangeOf(asked, factDays, context.nowMs)
    const own = { ...asked, pipelineId: path.id }
    const scope = await scopeOf(context, own)
    return { ...(await pageOfExecutions(context, own, { scope, range })), range: range.echo }
  },
})
