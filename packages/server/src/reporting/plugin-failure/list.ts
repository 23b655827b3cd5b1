/** `GET /reports/plugins/build-failures`: the errors of plugin builds, with similar errors grouped. */
import Type from 'typebox'
import { toIso } from '../../runtime/clock.js'
import { Instant, strictObject, Uuid } from '../../runtime/operation/schema.js'
import { byText } from '../execution/arithmetic.js'
import { groupBy } from '../group.js'
import { patternOf } from '../ingest/error.js'
import { buildsIn, pluginReport } from '../report/plugin-report.js'
import { tableOf } from '../report/table.js'
import type { BuildRow } from '../tables.js'

export const listPluginFailures = pluginReport({
  name: 'reporting.plugin-failure.list',
  summary: 'List the errors of plugin builds',
  description:
    'Of builds that are dead letters. Errors that differ only in ids, numbers and paths are grouped; the newest is shown.',
  path: '/reports/plugins/build-failures',
  query: { limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })) },
  output: {
    failures: Type.Array(
      strictObject({
        pluginName: Type.String(),
        category: Type.String(),
        errorMessage: Type.String({ description: 'Without account numbers and credentials' }),
        occurrences: Type.Integer({ minimum: 1 }),
        lastSeen: Instant,
        sampleJobId: Uuid,
      }),
    ),
  },
  forms: {
    csv: ({ failures }) =>
      tableOf(failures, ['pluginName', 'category', 'errorMessage', 'occurrences', 'lastSeen', 'sampleJobId']),
  },
  async run(context, query, asked) {
    const failed = (await buildsIn(context, query, asked)).filter(({ isSucceeded }) => !isSucceeded)
    const alike = groupBy(failed, (build) => JSON.stringify([build.pluginName, build.category, patternOf(build.error)]))
    const failures = [...alike.values()].map((own) => {
      const { pluginName, category, error, finishedMs, jobId } = own.reduce(newer)
      return {
        pluginName,
        category: category ?? 'unknown',
        errorMessage: error ?? 'no message',
        occurrences: own.length,
        lastSeen: toIso(finishedMs),
        sampleJobId: jobId,
      }
    })
    failures.sort(
      (a, b) =>
        b.occurrences - a.occurrences || byText(a.pluginName, b.pluginName) || byText(a.sampleJobId, b.sampleJobId),
    )
    return { failures: failures.slice(0, query.limit ?? 20) }
  },
})

const newer = (one: BuildRow, other: BuildRow): BuildRow =>
  one.finishedMs === other.finishedMs
    ? one.jobId > other.jobId
      ? one
      : other
    : one.finishedMs > other.finishedMs
      ? one
      : other
