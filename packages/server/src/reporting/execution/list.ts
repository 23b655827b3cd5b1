/** `GET /reports/execution/list`: the runs themselves, the newest first. */
import Type from 'typebox'
import { report } from '../report/report.js'
import { tableOf } from '../report/table.js'
import { EXECUTION_FIELDS, ExecutionItem, ExecutionPage, PAGE_QUERY, pageOfExecutions } from './page.js'

export const listExecutions = report({
  name: 'reporting.execution.list',
  summary: 'List the runs of pipelines, the newest first',
  path: '/reports/execution/list',
  query: PAGE_QUERY,
  output: { executions: Type.Array(ExecutionItem), pagination: ExecutionPage },
  forms: { csv: ({ executions }) => tableOf(executions, EXECUTION_FIELDS) },
  run: (context, query, asked) => pageOfExecutions(context, query, asked),
})
