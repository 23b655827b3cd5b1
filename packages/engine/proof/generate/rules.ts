/** Rule sets: chains, cycles, twins, dead rules, dates, and everything a record may carry. */
import type { Rule } from '../../src/types.js'
import type { Random } from '../random.js'
import { condition } from './conditions.js'
import { INSTANTS, instant } from './instants.js'

const NAMES = [
  'a',
  'b',
  'B',
  'c',
  'é',
  'z',
  'Z',
  'rule-1',
  'rule-10',
  'rule-2',
  '_',
  '~',
  '10',
  '9',
  '\ud83d\ude00',
  '\uffee',
]

interface Plan {
  readonly names: readonly string[]
  readonly hasIds: boolean
  readonly isChained: boolean
}

export function ruleSet(random: Random, attributes: Record<string, unknown>): readonly Rule[] {
  const count = random.chance(60) ? 1 + random.below(3) : 2 + random.below(6)
  const names = Array.from({ length: count }, (_, i) => `${random.pick(NAMES)}${random.chance(85) ? i : ''}`)
  const plan = { names, hasIds: random.chance(60), isChained: random.chance(45) }
  return names.map((_, index) => rule(random, attributes, index, plan))
}

function rule(random: Random, attributes: Record<string, unknown>, index: number, plan: Plan): Rule {
  const result: Record<string, unknown> = {
    name: plan.names[index],
    target: random.chance(94) ? 'plugin' : 'pipeline',
  }
  if (plan.hasIds) result.id = `r${random.chance(3) ? 0 : index}`
  if (random.chance(60)) result.severity = random.pick(['warning', 'error', 'critical', 'warning', 'fatal'])
  if (random.chance(50)) result.priority = random.pick([0, 1, 2, 10, 9, 10000])
  check(random, result, attributes, () =>
    plan.isChained && random.chance(40) ? reference(random, index, plan) : undefined,
  )
  record(random, result)
  return result as unknown as Rule
}

/** Mostly an earlier rule, so that chains are more frequent than cycles. */
function reference(random: Random, index: number, plan: Plan): string {
  if (random.chance(4)) return random.pick(['nowhere', 'constructor', '__proto__'])
  const chosen = index > 0 && random.chance(85) ? random.below(index) : random.below(plan.names.length)
  return plan.hasIds && random.chance(85) ? `r${chosen}` : (plan.names[chosen] ?? '')
}

function check(
  random: Random,
  result: Record<string, unknown>,
  attributes: Record<string, unknown>,
  gate: () => string | undefined,
): void {
  const dependsOnRule = gate()
  if (random.chance(2)) {
    if (random.chance(50)) result.conditions = []
    return
  }
  if (dependsOnRule === undefined && random.chance(60)) {
    Object.assign(result, condition(random, attributes))
    return
  }
  const entries: unknown[] = Array.from({ length: 1 + random.below(3) }, () => {
    const gated = gate()
    const entry = condition(random, attributes)
    return gated === undefined ? entry : { ...entry, dependsOnRule: gated }
  })
  if (dependsOnRule !== undefined && random.chance(60))
    entries.splice(random.below(entries.length + 1), 0, { dependsOnRule })
  if (dependsOnRule !== undefined && random.chance(3)) entries.splice(0, entries.length, { dependsOnRule })
  result.conditions = entries
  if (random.chance(60)) result.conditionMode = random.pick(['all', 'any', 'any', 'none', null])
  if (random.chance(10)) Object.assign(result, condition(random, attributes))
}
/** What surrounds the check: dates, liveness, policies, source. */
function record(random: Random, result: Record<string, unknown>): void {
  if (random.chance(15)) result.effectiveFrom = random.chance(92) ? instant(random) : random.pick(['soon', '', null])
  if (random.chance(15)) result.effectiveUntil = random.chance(92) ? instant(random) : random.pick(['never', '', null])
  if (random.chance(5))
    Object.assign(result, random.pick([{ isActive: false }, { isTemplate: true }, { deletedAt: INSTANTS[0] }]))
  if (random.chance(8))
    Object.assign(result, random.pick([{ isActive: true }, { isTemplate: false }, { deletedAt: null }]))
  if (random.chance(10)) result.policyIds = random.pick([[], ['p1'], ['p1', 'p2']])
  if (random.chance(3)) result.policyId = 'p9'
  if (random.chance(15)) result.description = random.pick(['why it matters', null])
  if (random.chance(15)) result.source = random.pick(['own', 'inherited', 'subscribed'])
  if (random.chance(10)) result.suppressNotification = random.chance(70)
}
