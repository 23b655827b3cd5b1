/**
 * Generates the functions of one plan. They read the fields, decide the checks, return at once when every rule holds,
 * and otherwise decide rule by rule.
 *
 * A small plan is one function over local variables. A large plan is split into parts over arrays, because optimising
 * compilers skip very long functions.
 */

import type { Plan } from '../compile/plan.js'
import { UNGATED } from '../compile/plan.js'
import type { Check } from '../operator/check.js'
import type { Constants } from './constants.js'
import { checksCode, type Names, valueCode } from './field-code.js'
import type { PatternSource } from './patterns.js'
import { holdsExpression, type RuleContext, ruleCode } from './rule-code.js'

/** A plan with at least this many rules or checks is split into parts. */
const LARGE = 120
/** The number of checks or rules in one part. */
const PART = 40

const LOCALS: Names = {
  value: (slot) => `v${slot}`,
  check: (index) => `c${index}`,
  state: (position) => `s${position}`,
}

const ARRAYS: Names = {
  value: (slot) => `v[${slot}]`,
  check: (index) => `c[${index}]`,
  state: (position) => `s[${position}]`,
}

export interface PlanOptions {
  readonly constants: Constants
  readonly redact: boolean
  patternOf(text: string): PatternSource | null
}

/** Returns the source of `function <name>(attributes, context)` and its parts. */
export function planCode(name: string, plan: Plan, options: PlanOptions): string {
  const used = usedChecks(plan)
  const isLarge = plan.rules.length > LARGE || used.size > LARGE
  const names = isLarge ? ARRAYS : LOCALS
  const checksOf = checksBySlot(plan, used)
  const context: RuleContext = {
    plan,
    names,
    constants: options.constants,
    redact: options.redact,
    awaited: awaitedRules(plan),
    isImported: (index) => {
      const check = plan.checks[index]
      return check?.pattern !== null && check !== undefined && options.patternOf(check.text)?.isImported === true
    },
  }
  const rules = plan.rules.map((_, position) => ruleCode(position, context))
  return isLarge
    ? inParts(name, plan, readingParts(plan, checksOf, options), rules)
    : inOne(name, plan, readingAtOnce(plan, checksOf, options), rules, context)
}

type ChecksOf = ReadonlyMap<number, readonly Check[]>

function readingAtOnce(plan: Plan, checksOf: ChecksOf, { constants, patternOf }: PlanOptions): string[] {
  return plan.slots.flatMap((_, slot) => [
    ...valueCode(plan, slot, LOCALS),
    ...checksCode(slot, LOCALS.value(slot), checksOf.get(slot) ?? [], LOCALS, constants, patternOf),
  ])
}

/** The same in pieces of at most `PART` checks, combined into functions of about that size. */
function readingParts(plan: Plan, checksOf: ChecksOf, { constants, patternOf }: PlanOptions): string[][] {
  const functions: string[][] = []
  let room = 0
  const add = (size: number, lines: readonly string[]): void => {
    if (size > room) {
      functions.push([])
      room = PART
    }
    room -= size
    functions.at(-1)?.push(...lines)
  }
  plan.slots.forEach((_, slot) => {
    add(1, valueCode(plan, slot, ARRAYS))
    for (const some of parts(checksOf.get(slot) ?? [])) {
      const code = checksCode(slot, 'value', some, ARRAYS, constants, patternOf)
      add(some.length, ['{', `const value = ${ARRAYS.value(slot)}`, ...code, '}'])
    }
  })
  return functions
}

function inOne(
  name: string,
  plan: Plan,
  reading: readonly string[],
  rules: readonly (readonly string[])[],
  context: RuleContext,
): string {
  const values = plan.slots.map((_, slot) => LOCALS.value(slot))
  const checks = [...usedChecks(plan)].map((index) => `${LOCALS.check(index)} = false`)
  const states = [...context.awaited].map((position) => `${LOCALS.state(position)} = PASSED`)
  const holds = isClean(plan) ? plan.rules.map((rule) => holdsExpression(rule, LOCALS)) : [null]
  const passing = holds.includes(null) ? 'false' : ['exemptions === null', ...holds].join(' && ')
  return [
    `function ${name}(attributes, context) {`,
    ...HEAD,
    ...declare([...values, ...checks]),
    ...reading,
    `if (${passing}) return allPassed(${plan.rules.length}, ${plan.issueCount})`,
    `const out = outcome(${plan.issueCount})`,
    ...declare([...states, 'reason = null', 'exemption', 'violation']),
    ...rules.flat(),
    `return evaluation(out, ${plan.rules.length})`,
    '}',
  ].join('\n')
}

function inParts(
  name: string,
  plan: Plan,
  readings: readonly (readonly string[])[],
  rules: readonly (readonly string[])[],
): string {
  const reading = readings.map((lines, index) => ({ called: `${name}Read${index}`, lines }))
  const deciding = parts(rules).map((part, index) => ({ called: `${name}Decide${index}`, lines: part.flat() }))
  return [
    ...reading.map(({ called, lines }) => func(`${called}(attributes, isPlain, isClean, v, c)`, lines)),
    ...deciding.map(({ called, lines }) =>
      func(`${called}(v, c, s, now, exemptions, out)`, [
        ...declare(['reason = null', 'exemption', 'violation']),
        ...lines,
      ]),
    ),
    func(`${name}(attributes, context)`, [
      ...HEAD,
      `const v = new Array(${plan.slots.length}).fill(undefined)`,
      `const c = new Array(${plan.checks.length}).fill(false)`,
      `const s = new Uint8Array(${plan.rules.length})`,
      ...reading.map(({ called }) => `${called}(attributes, isPlain, isClean, v, c)`),
      `const out = outcome(${plan.issueCount})`,
      ...deciding.map(({ called }) => `${called}(v, c, s, now, exemptions, out)`),
      `return evaluation(out, ${plan.rules.length})`,
    ]),
  ].join('\n')
}

/** The beginning of every evaluation. */
const HEAD = [
  'const isClean = !isPolluted()',
  'const prototype = Object.getPrototypeOf(attributes)',
  'const isPlain = isClean && (prototype === objectPrototype || prototype === null)',
  'const now = context === undefined ? NaN : parseNow(context.now)',
  'const exemptions = applicableExemptions(context, now)',
]

function func(signature: string, lines: readonly string[]): string {
  return [`function ${signature} {`, ...lines, '}'].join('\n')
}

function declare(names: readonly string[]): string[] {
  return names.length === 0 ? [] : [`let ${names.join(', ')}`]
}

function parts<T>(items: readonly T[]): T[][] {
  const cut: T[][] = []
  for (let at = 0; at < items.length; at += PART) cut.push(items.slice(at, at + PART))
  return cut
}

function usedChecks(plan: Plan): Set<number> {
  const used = new Set<number>()
  for (const rule of plan.rules) {
    for (const { entry } of rule.entries) if (entry.check !== null) used.add(entry.check.index)
  }
  return used
}

function checksBySlot(plan: Plan, used: ReadonlySet<number>): Map<number, Check[]> {
  const checks = new Map<number, Check[]>()
  for (const index of used) {
    const slot = plan.slotOf[index] ?? -1
    const check = plan.checks[index]
    if (check === undefined) continue
    const known = checks.get(slot)
    if (known === undefined) checks.set(slot, [check])
    else known.push(check)
  }
  return checks
}

function awaitedRules(plan: Plan): Set<number> {
  const awaited = new Set<number>()
  for (const rule of plan.rules) {
    for (const gate of [...rule.gates.map(({ position }) => position), ...rule.entries.map((entry) => entry.gate)])
      if (gate >= 0) awaited.add(gate)
  }
  return awaited
}

/** True when all rules hold and all gates are open if all checks hold. */
function isClean(plan: Plan): boolean {
  return plan.rules.every(
    (rule) =>
      !rule.dated &&
      rule.gates.every(({ position }) => position >= 0) &&
      rule.entries.every(({ gate }) => gate === UNGATED || gate >= 0),
  )
}
