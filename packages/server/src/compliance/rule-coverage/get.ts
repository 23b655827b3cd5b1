/** `GET /compliance/rules/coverage`: the findings of each rule, and the records that it could have findings of. */
import type { Target as TargetName } from '@plumbline/engine'
import { and, asc, eq, isNull } from 'drizzle-orm'
import Type, { type Static } from 'typebox'
import { permission } from '../../runtime/operation/access.js'
import type { ReadContext } from '../../runtime/operation/context.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { nullable, strictObject } from '../../runtime/operation/schema.js'
import { presentByRule } from '../finding/state.js'
import { heldOf } from '../held.js'
import { type Mode, Modes, TARGETS, Target } from '../rule/schema.js'
import { loadRules } from '../rule-set/load.js'
import { complianceTables } from '../tables.js'

const RULES_MAX = 5000

const Count = Type.Integer({ minimum: 0 })
const Records = Type.Integer({ minimum: 0, description: 'Live records of the target' })
const Covered = strictObject({
  ruleId: Type.String(),
  ruleName: Type.String(),
  target: Target,
  mode: nullable(Modes),
  open: Count,
  requested: Count,
  exempted: Count,
})
type Rule = Pick<Static<typeof Covered>, 'ruleId' | 'ruleName' | 'target' | 'mode'>

export const getRuleCoverage = query({
  name: 'compliance.rule-coverage.get',
  summary: 'Count the findings of each rule by state, and the live records of each target',
  description: `Every rule in force, and every own rule; at most ${RULES_MAX}. \`mode\` is null while a rule is not in force: it is off, a template, outside of its dates, or held back by its policies. A rule in mode \`observe\` has no findings.`,
  http: { method: 'get', path: '/compliance/rules/coverage' },
  // guard: coverage-needs-a-permission
  access: permission('compliance:read'),
  tenant: fromHeader,
  snapshot: true,
  input: {},
  output: strictObject({
    records: strictObject({ plugin: Records, pipeline: Records }),
    rules: Type.Array(Covered),
    total: Type.Integer({ description: `Of rules, also beyond ${RULES_MAX}` }),
  }),
  errors: [],
  async run(context) {
    const { db, runtime, nowMs } = context
    const held = heldOf(context)
    const rules = await rulesOf(context)
    const findings = await presentByRule(db, { orgId: held.orgId, nowMs })
    const recordsOf = async (target: TargetName): Promise<number> =>
      (await runtime.entities?.find((source) => source.target === target)?.count(db, held.orgId)) ?? 0
    return {
      records: { plugin: await recordsOf('plugin'), pipeline: await recordsOf('pipeline') },
      rules: rules
        .slice(0, RULES_MAX)
        .map((rule) => ({ ...rule, ...(findings.get(rule.ruleId) ?? { open: 0, requested: 0, exempted: 0 }) })),
      total: rules.length,
    }
  },
})

/** The rules in force, then the other own rules by name. */
async function rulesOf(context: ReadContext): Promise<Rule[]> {
  const { db, nowMs } = context
  const held = heldOf(context)
  const rules = new Map<string, Rule>()
  for (const target of TARGETS) {
    const merged = await loadRules(db, held, target)
    for (const { id = '', name, effectiveFrom, effectiveUntil } of merged.rules) {
      const isDue = msOf(effectiveFrom, 0) <= nowMs && nowMs < msOf(effectiveUntil, Number.POSITIVE_INFINITY)
      const mode: Mode | null = isDue ? (merged.modes.get(id) ?? 'enforce') : null
      rules.set(id, { ruleId: id, ruleName: name, target, mode })
    }
  }
  const { rules: t } = complianceTables(db)
  // guard: the-coverage-of-own-rules
  const isOwn = and(eq(t.orgId, held.orgId), isNull(t.deletedAtMs))
  const own = await db
    .select({ ruleId: t.id, ruleName: t.name, target: t.target })
    .from(t)
    .where(isOwn)
    .orderBy(asc(t.nameKey), asc(t.id))
  for (const rule of own)
    if (!rules.has(rule.ruleId)) rules.set(rule.ruleId, { ...rule, target: rule.target as TargetName, mode: null })
  return [...rules.values()]
}

const msOf = (instant: string | number | Date | null | undefined, otherwise: number): number =>
  instant == null ? otherwise : new Date(instant).getTime()
