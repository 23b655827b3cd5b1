/**
 * A second evaluator, written from the specification alone. It shares no code with the engine (types only).
 *
 * Everything is computed from scratch by direct recursion: no compile step, no shared reads, no memo, plain `RegExp`.
 * INVARIANT: slow and obvious. When it differs from the engine, the specification decides which of them is wrong.
 * Sections named in comments are those of docs/specification/compliance.md.
 */
import type {
  Condition,
  EntityRef,
  Evaluation,
  EvaluationContext,
  Exemption,
  Failure,
  JsonValue,
  Rule,
  RuleIssueCode,
  SkipReason,
  Violation,
} from '../src/types.js'

type Json = JsonValue | undefined
type Step = { readonly rule: Rule } & (
  | { readonly kind: 'passed' }
  | { readonly kind: 'skipped'; readonly reason: SkipReason; readonly exemption?: string }
  | { readonly kind: 'violation'; readonly violation: Violation }
)
type Fault = { readonly issue: RuleIssueCode }
type Gate = 'open' | SkipReason | Fault
type Entry = 'holds' | 'fails' | Fault

interface World {
  /** The evaluated set: live rules, the first of each id, of the target that the context names. */
  readonly rules: readonly Rule[]
  /** The same of both targets. */
  readonly everywhere: readonly Rule[]
  readonly given: readonly Rule[]
  readonly attributes: JsonValue
  readonly context: EvaluationContext
  readonly redact: boolean
}

/** The whole verdict (4.4). */
export function oracle(
  given: readonly Rule[],
  attributes: unknown,
  context: EvaluationContext = {},
  redact = true,
): Evaluation {
  const world = worldOf(given, normalise(attributes) ?? null, context, redact)
  const steps = inOrder(world).map((rule) => decide(world, rule))
  const violations = steps.flatMap((step) => (step.kind === 'violation' ? [step.violation] : []))
  const skipped = steps.flatMap((step) => (step.kind === 'skipped' ? [step] : []))
  return {
    passed: violations.length === 0,
    blocked: violations.some((violation) => violation.severity !== 'warning'),
    violations,
    warnings: violations.filter((violation) => violation.severity === 'warning'),
    rulesEvaluated: steps.length - skipped.length,
    rulesSkipped: skipped.length,
    exemptionsApplied: skipped.flatMap((step) => step.exemption ?? []),
    skipped: skipped.map(({ rule, reason }) => ({ ruleId: idOf(rule), ruleName: rule.name, reason })),
    issues: steps.reduce((sum, step) => sum + (step.kind === 'skipped' ? 0 : issuesOf(world, step.rule).length), 0),
  }
}

/** Ids of all live rules in evaluation order, whatever the target (4.3). */
export const oracleOrder = (given: readonly Rule[]): readonly string[] =>
  inOrder(worldOf(given, null, {}, true)).map(idOf)

function worldOf(given: readonly Rule[], attributes: JsonValue, context: EvaluationContext, redact: boolean): World {
  const live = given.filter(isLive)
  const everywhere = live.filter((rule, at) => live.findIndex((other) => idOf(other) === idOf(rule)) === at)
  const rules = everywhere.filter((rule) => context.target === undefined || rule.target === context.target)
  return { rules, everywhere, given, attributes, context, redact }
}

// ---- order (4.3) and dependencies (1.3)

const idOf = (rule: Rule): string => rule.id ?? rule.name

function inOrder(world: World): readonly Rule[] {
  const placed: Rule[] = []
  while (placed.length < world.rules.length) {
    const ready = world.rules.filter(
      (rule) =>
        !placed.includes(rule) &&
        // Members of one cycle do not wait for each other: they are violations whatever the others say.
        dependencies(world, rule).every((other) => placed.includes(other) || reaches(world, other, rule)),
    )
    placed.push(ready.reduce((best, rule) => (comesBefore(rule, best) ? rule : best)))
  }
  return placed
}

function comesBefore(a: Rule, b: Rule): boolean {
  const [p, q] = [a.priority ?? 0, b.priority ?? 0]
  if (p !== q) return p > q
  return a.name === b.name ? idOf(a) < idOf(b) : a.name < b.name
}

const isLive = (rule: Rule): boolean => rule.isActive !== false && rule.isTemplate !== true && isAbsent(rule.deletedAt)

/** Id first, then a name that is unique in the evaluated set; a dead rule keeps its id (1.3). */
function named(world: World, rule: Rule, reference: string): Rule | 'absent' | 'other target' {
  const byId = world.everywhere.find((each) => idOf(each) === reference)
  if (byId) return byId.target === rule.target ? byId : 'other target'
  if (world.given.some((each) => idOf(each) === reference)) return 'absent'
  const withName = (rules: readonly Rule[]) => rules.filter((each) => each.name === reference)
  const [found] = withName(world.rules)
  if (found === undefined) return withName(world.everywhere).length === 1 ? 'other target' : 'absent'
  if (withName(world.rules).length > 1) return 'absent'
  return found.target === rule.target ? found : 'other target'
}

function dependencies(world: World, rule: Rule): readonly Rule[] {
  return entriesOf(rule).flatMap((entry) => {
    const found = hasGate(entry) ? named(world, rule, entry.dependsOnRule) : 'absent'
    return typeof found === 'string' ? [] : [found]
  })
}

function reaches(world: World, from: Rule, to: Rule, seen: readonly Rule[] = []): boolean {
  return dependencies(world, from).some(
    (next) => next === to || (!seen.includes(next) && reaches(world, next, to, [...seen, next])),
  )
}

function gate(world: World, rule: Rule, entry: Condition): Gate {
  const found = hasGate(entry) ? named(world, rule, entry.dependsOnRule) : null
  if (found === null) return 'open'
  if (found === 'absent') return 'dependency_unavailable'
  if (found === 'other target') return { issue: 'dependency_target' }
  const step = decide(world, found)
  if (step.kind === 'passed') return 'open'
  if (step.kind === 'violation') return 'dependency_failed'
  if (step.reason === 'exempt') return 'open'
  return step.reason === 'not_effective' ? 'dependency_unavailable' : 'dependency_skipped'
}

const hasGate = (entry: Condition): entry is Condition & { readonly dependsOnRule: string } =>
  typeof entry?.dependsOnRule === 'string'

// ---- one rule (4.1: dates, cycle, gates, exemption, check)

function decide(world: World, rule: Rule): Step {
  if (!inForce(rule, world.context.now)) return { rule, kind: 'skipped', reason: 'not_effective' }
  const exemption = world.context.exemptions?.find((each) => applies(each, rule, world.context))
  const exempt: Step = { rule, kind: 'skipped', reason: 'exempt', exemption: exemption?.id ?? '' }
  if (reaches(world, rule, rule)) {
    return exemption ? exempt : violate(world, rule, rule, { issue: 'dependency_cycle' })
  }
  const entries = entriesOf(rule)
  for (const entry of entries.filter(isGate)) {
    const state = gate(world, rule, entry)
    if (typeof state === 'string' && state !== 'open') return { rule, kind: 'skipped', reason: state }
  }
  const checks = entries.filter((entry) => !isGate(entry))
  const states = checks.map((entry) => gate(world, rule, entry))
  const isOpen = (state: Gate | undefined) => state === 'open' || typeof state === 'object'
  const closed = states.find((state): state is SkipReason => !isOpen(state))
  if (closed && !states.some(isOpen)) return { rule, kind: 'skipped', reason: closed }
  if (exemption) return exempt
  const live = checks.filter((_, index) => isOpen(states[index]))
  return check(world, rule, live)
}

function check(world: World, rule: Rule, live: readonly Condition[]): Step {
  if (live.length === 0) return violate(world, rule, rule, { issue: noCheck(rule) })
  const lost = entriesOf(rule)
    .filter(isGate)
    .map((entry) => gate(world, rule, entry))
    .find((state) => typeof state === 'object')
  if (typeof lost === 'object') return violate(world, rule, rule, lost)
  const results = live.map((entry): Entry => {
    const [issue] = faultsOf(entry)
    if (issue) return { issue }
    const state = gate(world, rule, entry)
    if (typeof state === 'object') return state
    return holds(entry.operator, fieldValue(world, entry.field), entry.value) ? 'holds' : 'fails'
  })
  const isAny = rule.conditionMode === 'any'
  if (isAny ? results.includes('holds') : results.every((each) => each === 'holds')) return { rule, kind: 'passed' }
  const first = results.findIndex((result) => result !== 'holds')
  const step = violate(world, rule, live[first] ?? rule, results[first] ?? 'fails')
  const isOneOfSeveral = isAny && entriesOf(rule).filter((entry) => !isGate(entry)).length > 1
  if (!isOneOfSeveral || step.kind !== 'violation' || results[first] !== 'fails') return step
  const failing = live.filter((_, index) => results[index] === 'fails')
  return { ...step, violation: withFailures(world, step.violation, failing) }
}

function entriesOf(rule: Rule): readonly Condition[] {
  if (Array.isArray(rule.conditions) && rule.conditions.length > 0) return rule.conditions
  if (isAbsent(rule.field) || isAbsent(rule.operator)) return []
  return [{ field: rule.field, operator: rule.operator, value: rule.value ?? null }]
}

const isGate = (entry: Condition): boolean =>
  hasGate(entry) && isAbsent(entry.field) && isAbsent(entry.operator) && isAbsent(entry.value)

/** Instants (4.1): both ends inclusive; no `now` and unreadable dates mean "in force". */
function inForce(rule: Rule, at: EvaluationContext['now']): boolean {
  const now = instant(at)
  const [from, until] = [instant(rule.effectiveFrom), instant(rule.effectiveUntil)]
  if (now === undefined) return true
  return (from === undefined || from <= now) && (until === undefined || now <= until)
}

/** A waiver holds for its scope only, and ends when it expires (9). */
function applies(exemption: Exemption, rule: Rule, { now: at, entity = {} }: EvaluationContext): boolean {
  const { status, expiresAt, orgId, entityType } = exemption
  const [now, until] = [instant(at), instant(expiresAt)]
  return (
    exemption.ruleId === idOf(rule) &&
    (isAbsent(status) || status === 'approved') &&
    (isAbsent(expiresAt) || (now !== undefined && until !== undefined && now < until)) &&
    (isAbsent(orgId) || orgId.toLowerCase() === entity.orgId?.toLowerCase()) &&
    (isAbsent(entityType) || entityType === entity.type) &&
    isOf(exemption, entity)
  )
}

/** An id decides where both have one; else the keys, whose texts are compared as the server compares records. */
function isOf({ entityId, entityKey }: Exemption, { id, key }: EntityRef): boolean {
  if (isAbsent(entityId) && isAbsent(entityKey)) return true
  if (!isAbsent(entityId) && !(isAbsent(id) && !isAbsent(entityKey))) return entityId === id
  if (isAbsent(key) || isAbsent(entityKey)) return false
  const loose = (text: string) =>
    text
      .trim()
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .join('_')
  if ('project' in entityKey) {
    return (
      'project' in key &&
      loose(entityKey.project) === loose(key.project) &&
      loose(entityKey.organization) === loose(key.organization)
    )
  }
  if ('project' in key || entityKey.name !== key.name) return false
  return entityKey.version === '*' || entityKey.version === key.version
}

function instant(at: unknown): number | undefined {
  if (typeof at === 'number') return at
  if (at instanceof Date) return Number.isNaN(at.getTime()) ? undefined : at.getTime()
  const isZoned = typeof at === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/.test(at)
  return isZoned && !Number.isNaN(Date.parse(at)) ? Date.parse(at) : undefined
}

// ---- what cannot be evaluated (P5, 1.2, 2.1, 2.4)

function issuesOf(world: World, rule: Rule): readonly RuleIssueCode[] {
  const entries = entriesOf(rule)
  const checks = entries.filter((entry) => !isGate(entry))
  return [
    ...(checks.length === 0 ? [noCheck(rule)] : checks.flatMap(faultsOf)),
    ...entries
      .filter((entry) => hasGate(entry) && named(world, rule, entry.dependsOnRule) === 'other target')
      .map(() => 'dependency_target' as const),
    ...(reaches(world, rule, rule) ? ['dependency_cycle' as const] : []),
  ]
}

const noCheck = (rule: Rule): RuleIssueCode => (entriesOf(rule).length > 0 ? 'no_live_check' : 'no_check')
function faultsOf(entry: Condition): readonly RuleIssueCode[] {
  if (isAbsent(entry) || typeof entry !== 'object' || isAbsent(entry.field) || isAbsent(entry.operator)) {
    return ['invalid_condition']
  }
  const path = parsePath(entry.field)
  const value = OPERATORS.includes(entry.operator)
    ? valueFault(entry.operator, entry.value ?? null)
    : ('unknown_operator' as const)
  return [...(typeof path === 'string' ? [path] : []), ...(value ? [value] : [])]
}

const OPERATORS: readonly string[] = [
  ...['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'contains', 'notContains', 'in', 'notIn', 'regex'],
  ...['exists', 'notExists', 'notEmpty', 'countGt', 'countLt', 'lengthGt', 'lengthLt'],
]

/** Only what 2.1 calls malformed: authoring (2.4) refuses more, but an import must stay evaluable where it can be. */
function valueFault(operator: string, value: JsonValue): RuleIssueCode | undefined {
  const unless = (ok: boolean): RuleIssueCode | undefined => (ok ? undefined : 'invalid_value')
  if (/^(gte?|lte?|(count|length)(Gt|Lt))$/.test(operator)) return unless(num(value) !== undefined)
  if (operator === 'contains' || operator === 'notContains') return unless(isScalar(value))
  if (operator === 'in' || operator === 'notIn') return unless(Array.isArray(value))
  if (operator === 'regex') return typeof value === 'string' ? patternFault(value) : 'invalid_value'
  return undefined
}

/** The refusals of 2.3 among the patterns of the generator; all others are safe. */
function patternFault(pattern: string): RuleIssueCode | undefined {
  if (pattern === '') return 'regex_empty'
  if (pattern.length > 100) return 'regex_too_long'
  if (/\(\?[=!<]|\\[1-9k]|\(\?i/.test(pattern)) return 'regex_unsupported'
  if (/\([^()]*[+*]\??\)[+*]/.test(pattern)) return 'regex_unsafe'
  return pattern === '(' || pattern === '[a' ? 'regex_syntax' : undefined
}

// ---- operators (2.1)

function holds(operator: string | undefined, actual: Json, expected: Json): boolean {
  switch (operator) {
    case 'eq':
      return equals(actual, expected)
    case 'neq':
      // P4: a container against a scalar, or a list against an object, is a mismatch, which fails both ways.
      if (isAbsent(actual) || isAbsent(expected)) return !equals(actual, expected)
      return kindOf(actual) === kindOf(expected) && !equals(actual, expected)
    case 'contains':
      return contains(actual, expected) === true
    case 'notContains':
      return isAbsent(actual) || contains(actual, expected) === false
    case 'in':
      return member(actual, expected) === true
    case 'notIn':
      return member(actual, expected) === false || (Array.isArray(actual) && actual.length === 0)
    case 'regex':
      return isScalar(actual) && text(actual).length <= 65536 && new RegExp(String(expected)).test(text(actual))
    case 'exists':
      return !isAbsent(actual)
    case 'notExists':
      return isAbsent(actual)
    case 'notEmpty':
      if (isAbsent(actual) || actual === '' || actual === 0 || actual === false) return false
      return isScalar(actual) || membersOf(actual).length > 0
    case 'countGt':
    case 'countLt':
      return ordered(operator, isContainer(actual) ? membersOf(actual).length : plainNumber(actual), num(expected))
    case 'lengthGt':
    case 'lengthLt':
      return ordered(operator, typeof actual === 'string' ? actual.length : plainNumber(actual), num(expected))
    default:
      return ordered(String(operator), num(actual), num(expected))
  }
}

function equals(actual: Json, expected: Json): boolean {
  if (isAbsent(actual)) return isAbsent(expected)
  if (isScalar(actual)) return isScalar(expected) && (actual === expected || text(actual) === text(expected))
  return deepEquals(actual, expected)
}

function deepEquals(a: Json, b: Json): boolean {
  if (isAbsent(a) || isAbsent(b) || isScalar(a) || isScalar(b)) return a === b
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const isInBoth = (key: string) => Object.hasOwn(b as object, key) && deepEquals(own(a, key), own(b, key))
  return membersOf(a).length === membersOf(b).length && membersOf(a).every(isInBoth)
}

function ordered(operator: string, a: number | undefined, b: number | undefined): boolean {
  if (a === undefined || b === undefined) return false
  if (/gte|lte/.test(operator)) return operator === 'gte' ? a >= b : a <= b
  return /gt$/i.test(operator) ? a > b : a < b
}

/** True, false, or undefined where the operator cannot be applied. */
function contains(actual: Json, expected: Json): boolean | undefined {
  const wanted = text(expected).toLowerCase()
  if (typeof actual === 'string') return actual.toLowerCase().includes(wanted)
  if (!Array.isArray(actual)) return undefined
  if (actual.some((element) => isScalar(element) && text(element).toLowerCase() === wanted)) return true
  return actual.some(isContainer) ? undefined : false
}

/** For a list: true when all elements are in the list, false when none is, undefined in between or not applicable. */
function member(actual: Json, expected: Json): boolean | undefined {
  const list = expected as readonly JsonValue[]
  const isIn = (value: Json) => list.some((entry) => equals(value, entry))
  if (isAbsent(actual) || isScalar(actual)) return isIn(actual)
  if (!Array.isArray(actual) || actual.length === 0 || actual.some(isContainer)) return undefined
  return actual.every(isIn) ? true : actual.some(isIn) ? undefined : false
}

const text = (value: Json): string => (value === 0 ? '0' : String(value))

function num(value: Json): number | undefined {
  if (typeof value === 'number') return value
  if (typeof value !== 'string' || !/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(value.trim())) return undefined
  return Number.isFinite(Number(value)) ? Number(value) : undefined
}

const isAbsent = (value: unknown): value is null | undefined => value === null || value === undefined
const isScalar = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
const kindOf = (value: Json): string => (isScalar(value) ? 'scalar' : Array.isArray(value) ? 'list' : 'object')
const plainNumber = (value: Json): number | undefined => (typeof value === 'number' ? value : undefined)
const membersOf = (value: Json): readonly string[] => (isContainer(value) ? Object.keys(value as object) : [])
const isContainer = (value: unknown): boolean => typeof value === 'object' && value !== null

// ---- attributes and paths (2, 3)

/** As JSON would write it, without the text in between: -0 stays -0. */
function normalise(value: unknown): Json {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'object') return undefined
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString()
  if (Array.isArray(value)) return Array.from(value, (each) => normalise(each) ?? null)
  const copy: Record<string, JsonValue> = Object.create(null)
  for (const [key, each] of Object.entries(value)) {
    const member = normalise(each)
    if (member !== undefined) copy[key] = member
  }
  return copy
}

interface Path {
  readonly calls: readonly string[]
  readonly keys: readonly string[]
}

function parsePath(path: unknown, depth = 0): Path | 'invalid_path' | 'unknown_function' {
  if (typeof path !== 'string' || path.length === 0 || path.length > 100 || depth > 3) return 'invalid_path'
  const call = /^\$([^.[\]()]+)\((.*)\)$/s.exec(path)
  if (call) {
    if (!['count', 'length', 'keys', 'lines'].includes(call[1] ?? '')) return 'unknown_function'
    const inner = parsePath(call[2], depth + 1)
    return typeof inner === 'string' ? inner : { calls: [call[1] ?? '', ...inner.calls], keys: inner.keys }
  }
  if (!/^[^.[\]()]+(\.[^.[\]()]+|\[\d+\]|\["([^"\\]|\\.)*"\]|\['([^'\\]|\\.)*'\])*$/s.test(path)) return 'invalid_path'
  const parts = path.match(/\["([^"\\]|\\.)*"\]|\['([^'\\]|\\.)*'\]|[^.[\]()]+/gs) ?? []
  const keys = parts.map((part) => (part.startsWith('[') ? part.slice(2, -2).replace(/\\(.)/gs, '$1') : part))
  return keys.length <= 20 && keys.every((key) => key !== '') ? { calls: [], keys } : 'invalid_path'
}

function fieldValue(world: World, field: unknown): Json {
  const path = parsePath(field)
  if (typeof path === 'string') return undefined
  const found = path.keys.reduce<Json>(own, world.attributes)
  return path.calls.reduceRight<Json>(compute, found)
}

function own(value: Json, key: string): Json {
  if (!isContainer(value)) return undefined
  return Array.isArray(value) && key !== 'length' && !/^\d+$/.test(key)
    ? undefined
    : Object.getOwnPropertyDescriptor(value, key)?.value
}

function compute(value: Json, call: string): JsonValue {
  if (call === 'count') return membersOf(value).length
  if (call === 'length') return typeof value === 'string' ? value.length : 0
  if (call === 'lines') return typeof value === 'string' ? value.split('\n').length : 0
  return Array.isArray(value) ? [] : membersOf(value)
}

// ---- the violation (4.4)

function violate(world: World, rule: Rule, entry: Condition | Rule, result: Entry): Step {
  const issue = typeof result === 'object' ? result.issue : null
  const from = issue ? rule : entry
  const show = (value: Json): JsonValue =>
    isAbsent(value) ? null : bounded(world.redact ? redacted(from.field, value) : value)
  const field = entry?.field || 'unknown'
  const expectedValue = show(from.value)
  return {
    rule,
    kind: 'violation',
    violation: {
      ruleId: idOf(rule),
      ruleName: rule.name,
      description: rule.description ?? null,
      policyId: rule.policyId ?? rule.policyIds?.[0] ?? null,
      policyIds: rule.policyIds ?? [],
      field,
      operator: from.operator || null,
      expectedValue,
      actualValue: issue ? null : show(fieldValue(world, entry.field)),
      severity: rule.severity ?? 'error',
      message: issue ?? message(field, from.operator ?? '', expectedValue),
      source: rule.source ?? 'own',
      suppressNotification: rule.suppressNotification === true,
      issue,
    },
  }
}

/** "If A then B" names B; other alternatives are listed, ten at most (4.2). */
function withFailures(world: World, violation: Violation, failing: readonly Condition[]): Violation {
  const failures = failing.slice(0, 10).map((entry): Failure => {
    const show = (value: Json) =>
      isAbsent(value) ? null : bounded(world.redact ? redacted(entry.field, value) : value)
    return {
      field: entry.field ?? '',
      operator: entry.operator ?? 'exists',
      expected: show(entry.value),
      actual: show(fieldValue(world, entry.field)),
    }
  })
  const negated = failures.filter(({ operator }) => ['neq', 'notIn', 'notContains', 'notExists'].includes(operator))
  const texts = (some: readonly Failure[]) => some.map(demanded)
  const rest = failing.length - failures.length
  const listed = `none of these holds: ${texts(failures).join('; ')}${rest > 0 ? `; and ${rest} more` : ''}`
  const [condition] = negated
  const consequence = texts(failures.filter((each) => each !== condition)).join(' or ')
  if (failing.length === 1) return { ...violation, message: texts(failures).join(''), failures }
  if (condition === undefined || negated.length > 1 || rest > 0) return { ...violation, message: listed, failures }
  return { ...violation, message: `because ${given(condition)}, ${consequence}`, failures }
}

function demanded({ field, operator, expected, actual }: Failure): string {
  const found = actual === null ? 'nothing' : shortJson(actual)
  return message(field, operator, expected) + (operator === 'exists' ? '' : ` (found ${found})`)
}

function given({ field, operator, expected, actual }: Failure): string {
  if (operator === 'notExists') return `\`${field}\` is present`
  const isList = Array.isArray(actual) && !actual.some(isContainer)
  if (operator === 'notContains' && (isList || typeof actual === 'string'))
    return `\`${field}\` contains ${shortJson(expected)}`
  return `\`${field}\` is ${actual === null ? 'absent' : shortJson(actual)}`
}

/** As written, in back-ticks; what cannot be seen as JSON escapes it. */
function pattern(text: string): string {
  const visible = Array.from(text, (character) => {
    const unit = character.charCodeAt(0)
    const isSeen = character.length === 2 || (unit >= 32 && (unit < 127 || unit > 159) && unit >> 11 !== 27)
    return isSeen ? character : `\\u${unit.toString(16).padStart(4, '0')}`
  }).join('')
  return `\`${visible.length > 120 ? `${visible.slice(0, 120)}…` : visible}\``
}

function shortJson(value: JsonValue): string {
  const json = JSON.stringify(value)
  return json.length > 120 ? `${json.slice(0, 120)}…` : json
}

function message(field: string, operator: string, expected: JsonValue): string {
  if (PRESENCE[operator]) return `\`${field}\` must ${PRESENCE[operator]}`
  const isPattern = operator === 'regex' && typeof expected === 'string'
  return `\`${field}\` must ${PHRASES[operator]} ${isPattern ? pattern(expected) : shortJson(expected)}`
}

const PRESENCE: Record<string, string> = { exists: 'be present', notExists: 'be absent', notEmpty: 'not be empty' }
const PHRASES: Record<string, string> = {
  ...{ eq: 'equal', neq: 'not equal', contains: 'contain', notContains: 'not contain', regex: 'match' },
  ...{ gt: 'be greater than', gte: 'be at least', lt: 'be less than', lte: 'be at most' },
  ...{ in: 'be one of', notIn: 'not be one of' },
  ...{ countGt: 'have a count greater than', countLt: 'have a count less than' },
  ...{ lengthGt: 'have a length greater than', lengthLt: 'have a length less than' },
}

const SECRET = /token|secret|password|passphrase|credential|apikey|accesskey|privatekey/

function redacted(field: unknown, value: JsonValue): JsonValue {
  const path = parsePath(field)
  if (typeof path === 'string' || path.calls.length > 0) return masked('', value)
  const nearest = path.keys.filter((key) => !/^\d+$/.test(key)).at(-1) ?? ''
  return path.keys.some(isMap) ? '[REDACTED]' : masked(nearest, value)
}

const isMap = (key: string): boolean => key === 'env' || key === 'buildArgs'

function masked(key: string, value: JsonValue): JsonValue {
  if (isMap(key) && value !== null) return '[REDACTED]'
  if (Array.isArray(value)) return value.map((each) => masked(key, each))
  if (isContainer(value)) return mapMembers(value as object, masked)
  const isSecret = SECRET.test(key.toLowerCase()) && key !== 'secrets' && key !== 'requiredSecrets'
  return typeof value === 'string' && isSecret ? '[REDACTED]' : value
}

function mapMembers(value: object, change: (key: string, member: JsonValue) => JsonValue): JsonValue {
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, change(key, member)]))
}

function bounded(value: JsonValue): JsonValue {
  if (typeof value === 'string') return value.length > 1024 ? `${value.slice(0, 1024)}…` : value
  const fits = (part: JsonValue) => Buffer.byteLength(JSON.stringify(part)) <= 1024
  if (!isContainer(value) || fits(value)) return value
  const prefix = (n: number): JsonValue =>
    Array.isArray(value) ? value.slice(0, n) : Object.fromEntries(Object.entries(value as object).slice(0, n))
  const part = prefix(membersOf(value).findIndex((_, n) => !fits(prefix(n + 1))))
  return Array.isArray(part) ? [...part, '…'] : { ...(part as object), '…': true }
}
