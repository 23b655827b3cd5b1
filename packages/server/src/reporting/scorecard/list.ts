/** `GET /reports/scorecards`: all pipelines of the organization, by default the worst first. */
import Type, { type Static } from 'typebox'
import { tenantId } from '../../runtime/operation/context.js'
import { nameKey } from '../../runtime/operation/name.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { choice, strictObject } from '../../runtime/operation/schema.js'
import { requirePort } from '../../runtime/port.js'
import { deployedPipelinesPort } from '../../runtime/records/deployed-pipelines.js'
import { DORA_ACCESS } from '../dora/get.js'
import { rangeOf } from '../report/range.js'
import { scopeOf } from '../report/scope.js'
import { tableOf } from '../report/table.js'
import { retentionOf } from '../retention.js'
import { nextTurn } from '../rollup/next-turn.js'
import { cardOf, Scorecard } from './card.js'
import { complianceOf } from './comply.js'
import { readCards } from './read.js'
import type { Compliance } from './score.js'

const PIPELINES_MAX = 500
const AT_ONCE = 10
const SORTS = ['score', 'project'] as const
const Count = Type.Integer({ minimum: 0 })

export const listScorecards = query({
  name: 'reporting.scorecard.list',
  summary: 'Read the scorecards of all pipelines',
  description: `Of at most ${PIPELINES_MAX} pipelines. The lowest score first, pipelines without one last.`,
  http: { method: 'get', path: '/reports/scorecards' },
  access: DORA_ACCESS,
  tenant: fromHeader,
  snapshot: true,
  input: {
    query: Type.Object({
      sortBy: Type.Optional(choice(SORTS, { default: 'score' })),
      sortOrder: Type.Optional(choice(['asc', 'desc'], { default: 'asc' })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 100 })),
      offset: Type.Optional(Type.Integer({ minimum: 0, default: 0 })),
    }),
  },
  output: strictObject({
    scorecards: Type.Array(Scorecard),
    pagination: strictObject({ total: Count, limit: Count, offset: Count, hasMore: Type.Boolean() }),
  }),
  errors: [],
  forms: {
    csv: ({ scorecards }) =>
      tableOf(scorecards, [
        'pipelineId',
        'project',
        'pipelineName',
        'score',
        'grade',
        'compliance.score',
        'dora.score',
      ]),
  },
  async prepare(context) {
    const orgId = tenantId(context)
    const known = await context.read((db) => requirePort(context.runtime, deployedPipelinesPort).known(db, [orgId]))
    const live = known.filter(({ isDeleted }) => !isDeleted).slice(0, PIPELINES_MAX)
    const answers = new Map<string, Compliance | 'degraded' | null>()
    for (let from = 0; from < live.length && !context.signal.aborted; from += AT_ONCE) {
      await Promise.all(
        live.slice(from, from + AT_ONCE).map(async ({ id }) => {
          answers.set(id, await complianceOf(context, orgId, id))
        }),
      )
    }
    return answers
  },
  async run(context, { query: { sortBy = 'score', sortOrder = 'asc', limit = 100, offset = 0 } }, answers) {
    const { factDays } = await retentionOf(context)
    const scope = await scopeOf(context, {})
    const source = await readCards(context, { scope, range: rangeOf({}, factDays, context.nowMs) })
    const subjects = [...scope.pipelines.values()].filter(({ id, isDeleted }) => !isDeleted && answers.has(id))
    const cards: Static<typeof Scorecard>[] = []
    for (const subject of subjects) {
      if (cards.length % AT_ONCE === AT_ONCE - 1) await nextTurn()
      cards.push(cardOf(subject, source, answers.get(subject.id) ?? null))
    }
    const way = sortOrder === 'asc' ? 1 : -1
    cards.sort((a, b) => {
      if (sortBy === 'score' && a.score !== b.score) {
        // Pipelines without a score are last in both orders.
        if (a.score === null || b.score === null) return a.score === null ? 1 : -1
        return way * (a.score - b.score)
      }
      const [left, right] = [nameKey(a.project), nameKey(b.project)]
      return way * (left < right ? -1 : left > right ? 1 : a.pipelineId < b.pipelineId ? -1 : 1)
    })
    const page = cards.slice(offset, offset + limit)
    return {
      scorecards: page,
      pagination: { total: cards.length, limit, offset, hasMore: offset + limit < cards.length },
    }
  },
})
