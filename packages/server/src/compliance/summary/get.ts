/** `GET /compliance/summary`: verdicts by day and the current findings, without reading the check log. */
import Type from 'typebox'
import { DAY_MS, toIso } from '../../runtime/clock.js'
import { permission } from '../../runtime/operation/access.js'
import { tenantId } from '../../runtime/operation/context.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { FindingStates, readFacets } from '../finding/state.js'
import { heldOf } from '../held.js'
import { countsByDay, countsByRule } from './counts.js'

/** No summary covers days before this. */
export const DAYS_MAX = 366
const RULES_MAX = 50

const Count = Type.Integer({ minimum: 0 })
const Results = strictObject({ pass: Count, warn: Count, block: Count })
const Severities = strictObject({ warning: Count, error: Count, critical: Count })

export const getSummary = query({
  name: 'compliance.summary.get',
  summary: 'Count checks by day, result, severity and rule, and the open findings',
  description:
    'Every day is listed, in UTC, also a day without a check. A check with several violations of a severity counts once for it. Dry runs are not counted.',
  http: { method: 'get', path: '/compliance/summary' },
  access: permission('compliance:read'),
  tenant: fromHeader,
  snapshot: true,
  input: {
    query: Type.Object({
      days: Type.Optional(
        Type.Integer({ minimum: 1, maximum: DAYS_MAX, default: 30, description: 'How many days, up to today' }),
      ),
    }),
  },
  output: strictObject({
    checks: Results,
    days: Type.Array(strictObject({ day: Type.String(), checks: Results, severities: Severities })),
    rules: Type.Array(strictObject({ ruleId: Type.String(), ruleName: Type.String(), checks: Count }), {
      description: `The ${RULES_MAX} rules that most checks violated, the most frequent first`,
    }),
    findings: strictObject({ total: Count, states: FindingStates, severities: Severities }),
  }),
  errors: ['VALIDATION_ERROR'],
  async run({ db, nowMs, ...context }, { query: { days = 30 } }) {
    const orgId = tenantId({ ...context, nowMs })
    const today = Math.floor(nowMs / DAY_MS)
    const from = today - days + 1
    const period = { orgId, fromMs: from * DAY_MS, untilMs: (today + 1) * DAY_MS }
    const byDay = Array.from({ length: days }, (_, index) => ({
      day: toIso((from + index) * DAY_MS).slice(0, 10),
      checks: { pass: 0, warn: 0, block: 0 } as Record<string, number>,
      severities: { warning: 0, error: 0, critical: 0 } as Record<string, number>,
    }))
    const total: Record<string, number> = { pass: 0, warn: 0, block: 0 }
    for (const { dayMs, kind, name, checks } of await countsByDay(db, period)) {
      const day = byDay[dayMs / DAY_MS - from]
      if (day === undefined) continue
      if (kind === 'result') {
        day.checks[name] = checks
        total[name] = (total[name] ?? 0) + checks
      } else day.severities[name] = checks
    }
    const facets = await readFacets(db, { ...heldOf(context), nowMs })
    return {
      checks: total as never,
      days: byDay as never,
      rules: await countsByRule(db, period, RULES_MAX),
      findings: { total: facets.total, states: facets.states, severities: facets.openSeverities },
    }
  },
})
