/** `GET /reports/scorecards`: all pipelines of the organization, by default the worst first. */
import Type, { type Static } from 'typebox'
import type { ReadContext } from '../../runtime/operation/context.js'
import { nameKey } from '../../runtime/operation/name.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { choice, strictObject } from '../../runtime/operation/schema.js'
import { asIn } from '../account.js'
import { DORA_ACCESS } from '../dora/get.js'
import { groupBy } from '../group.js'
import { OVER_TEAMS } from '../report/report.js'
import { SCOPE_QUERY, type ScopeQuery, scopeOf } from '../report/scope.js'
import { tableOf } from '../report/table.js'
import { nextTurn } from '../rollup/next-turn.js'
import { cardOf, Scorecard } from './card.js'
import { complianceOf } from './comply.js'
import { readCards } from './read.js'
import type { Compliance } from './score.js'

const PIPELINES_MAX = 500
const AT_ONCE = 10
const SORTS = ['score', 'project'] as const
const Count = Type.Integer({ minimum: 0 })
/** The environment of a card is that of its pipeline. */
const { environment: _, ...FILTERS } = SCOPE_QUERY

export const listScorecards = query({
  name: 'reporting.scorecard.list',
  summary: 'Read the scorecards of all pipelines',
  description: `Of at most ${PIPELINES_MAX} pipelines; \`leftOut\` says how many more match. The lowest score first, pipelines without one last. The card of a team's pipeline is the one that the team sees.`,
  http: { method: 'get', path: '/reports/scorecards' },
  access: DORA_ACCESS,
  tenant: fromHeader,
  acrossWhen: OVER_TEAMS,
  snapshot: true,
  input: {
    query: Type.Object({
      ...FILTERS,
      sortBy: Type.Optional(choice(SORTS, { default: 'score' })),
      sortOrder: Type.Optional(choice(['asc', 'desc'], { default: 'asc' })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 100 })),
      offset: Type.Optional(Type.Integer({ minimum: 0, default: 0 })),
    }),
  },
  output: strictObject({
    scorecards: Type.Array(Scorecard),
    pagination: strictObject({ total: Count, limit: Count, offset: Count, hasMore: Type.Boolean() }),
    leftOut: Count,
  }),
  errors: ['NOT_FOUND'],
  forms: {
    csv: ({ scorecards }) =>
      tableOf(scorecards, [
        'pipelineId',
        'orgId',
        'project',
        'pipelineName',
        'score',
        'grade',
        'compliance.score',
        'dora.score',
      ]),
  },
  async prepare(context, { query: asked }) {
    const { listed } = await context.read((db) => subjectsOf({ ...context, db }, asked))
    const answers = new Map<string, Compliance | 'degraded' | null>()
    for (let from = 0; from < listed.length && !context.signal.aborted; from += AT_ONCE) {
      await Promise.all(
        listed.slice(from, from + AT_ONCE).map(async (subject) => {
          answers.set(subject.id, await complianceOf(context, subject))
        }),
      )
    }
    return answers
  },
  async run(context, { query: { sortBy = 'score', sortOrder = 'asc', limit = 100, offset = 0, ...asked } }, answers) {
    const { listed, leftOut } = await subjectsOf(context, asked)
    const cards: Static<typeof Scorecard>[] = []
    for (const [orgId, own] of groupBy(listed, (subject) => subject.orgId)) {
      const source = await readCards(asIn(context, orgId))
      for (const subject of own) {
        const answer = answers.get(subject.id)
        if (answer === undefined) continue
        if (cards.length % AT_ONCE === AT_ONCE - 1) await nextTurn()
        cards.push(cardOf(subject, source, answer))
      }
    }
    sortCards(cards, sortBy, sortOrder)
    return {
      scorecards: cards.slice(offset, offset + limit),
      pagination: { total: cards.length, limit, offset, hasMore: offset + limit < cards.length },
      leftOut,
    }
  },
})

/** The live pipelines that match the filters. @throws Refusal 403 for teams without `reports:rollup`. */
async function subjectsOf(context: ReadContext, asked: ScopeQuery) {
  const { pipelines } = await scopeOf(context, asked)
  const live = [...pipelines.values()].filter(({ isDeleted }) => !isDeleted)
  return { listed: live.slice(0, PIPELINES_MAX), leftOut: Math.max(0, live.length - PIPELINES_MAX) }
}

function sortCards(cards: Static<typeof Scorecard>[], sortBy: (typeof SORTS)[number], sortOrder: 'asc' | 'desc'): void {
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
}
