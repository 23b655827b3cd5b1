/**
 * Small plausible mistakes in a rule. Mutation testing replaces the rule with each of them and checks whether a test
 * notices.
 * INVARIANT: the rule is not changed, the same rule gives the same list, and each mutant differs from the rule and from
 * every other mutant.
 */
import type { Condition, JsonValue, OperatorName, Rule } from '@plumbline/engine'

export interface Mutant {
  readonly rule: Rule
  /** JSON pointer to the changed place in the rule. */
  readonly pointer: string
  /** The change in words: "`gte` became `gt`". */
  readonly change: string
}

/** Of a longer list, only this many entries are removed one by one: the rest would show nothing new. */
const listEntriesMax = 20

type Check = Pick<Condition, 'field' | 'operator' | 'value'>
type CheckChange = { readonly at: string; readonly check: Check; readonly change: string }

export function mutantsOf(rule: Rule): Mutant[] {
  const mutants = isComposite(rule) ? compositeMutants(rule) : singleMutants(rule)
  const seen = new Set([JSON.stringify(rule)])
  return mutants.filter((mutant) => {
    const text = JSON.stringify(mutant.rule)
    if (seen.has(text)) return false
    seen.add(text)
    return true
  })
}

function isComposite(rule: Rule): rule is Rule & { readonly conditions: readonly Condition[] } {
  return Array.isArray(rule.conditions) && rule.conditions.length > 0
}

function singleMutants(rule: Rule): Mutant[] {
  if (typeof rule.field !== 'string' || typeof rule.operator !== 'string') return []
  const check: Check = { field: rule.field, operator: rule.operator, ...ownValue(rule) }
  return checkChanges(check).map(({ at, check: changed, change }) => {
    const { value: _, ...rest } = rule
    return { rule: { ...rest, ...changed } as Rule, pointer: `/${at}`, change }
  })
}

function compositeMutants(rule: Rule & { readonly conditions: readonly Condition[] }): Mutant[] {
  const { conditions } = rule
  const checks = conditions.filter((entry) => entry.field !== undefined || entry.operator !== undefined).length
  const replace = (index: number, entries: readonly Condition[]): Rule => ({
    ...rule,
    conditions: [...conditions.slice(0, index), ...entries, ...conditions.slice(index + 1)],
  })
  const mutants: Mutant[] = []
  if (checks > 1) {
    const isAny = rule.conditionMode === 'any'
    mutants.push({
      rule: { ...rule, conditionMode: isAny ? 'all' : 'any' },
      pointer: '/conditionMode',
      change: isAny ? '`any` became `all`' : '`all` became `any`',
    })
  }
  conditions.forEach((entry, index) => {
    const pointer = `/conditions/${index}`
    const isCheck = entry.field !== undefined || entry.operator !== undefined
    if (entry.dependsOnRule !== undefined) {
      const { dependsOnRule, ...open } = entry
      mutants.push({
        rule: replace(index, isCheck ? [open] : []),
        pointer: `${pointer}/dependsOnRule`,
        change: `the gate on \`${dependsOnRule}\` was dropped`,
      })
    }
    if (!isCheck) return
    if (checks > 1) {
      mutants.push({ rule: replace(index, []), pointer, change: `the condition on \`${entry.field}\` was dropped` })
    }
    const { field, operator, value: _, ...gate } = entry
    if (field === undefined || operator === undefined) return
    for (const { at, check, change } of checkChanges({ field, operator, ...ownValue(entry) })) {
      mutants.push({ rule: replace(index, [{ ...check, ...gate }]), pointer: `${pointer}/${at}`, change })
    }
  })
  return mutants
}

function ownValue(from: { readonly value?: JsonValue }): { value?: JsonValue } {
  return from.value === undefined ? {} : { value: from.value }
}

/** The operators that an author may write by mistake instead. */
const confusions: Readonly<Record<OperatorName, readonly OperatorName[]>> = {
  eq: ['neq'],
  neq: ['eq'],
  gt: ['gte', 'lt'],
  gte: ['gt', 'lte'],
  lt: ['lte', 'gt'],
  lte: ['lt', 'gte'],
  contains: ['notContains'],
  notContains: ['contains'],
  in: ['notIn'],
  notIn: ['in'],
  regex: [],
  exists: ['notExists'],
  notExists: ['exists'],
  notEmpty: ['exists'],
  countGt: ['countLt'],
  countLt: ['countGt'],
  lengthGt: ['lengthLt'],
  lengthLt: ['lengthGt'],
}

function checkChanges(check: Check): CheckChange[] {
  const { operator } = check
  if (operator === undefined || !Object.hasOwn(confusions, operator)) return []
  const flips = confusions[operator].map((other): CheckChange => {
    return { at: 'operator', check: { ...check, operator: other }, change: `\`${operator}\` became \`${other}\`` }
  })
  return [...flips, ...valueChanges(check, operator)]
}

function valueChanges(check: Check, operator: OperatorName): CheckChange[] {
  const { value } = check
  const change = (to: JsonValue, text: string): CheckChange => ({
    at: 'value',
    check: { ...check, value: to },
    change: text,
  })
  switch (operator) {
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
    case 'countGt':
    case 'countLt':
    case 'lengthGt':
    case 'lengthLt': {
      const bound = typeof value === 'string' ? Number(value) : value
      if (typeof bound !== 'number' || !Number.isFinite(bound)) return []
      return [bound + 1, bound - 1].map((moved) => change(moved, `the bound moved from ${bound} to ${moved}`))
    }
    case 'in':
    case 'notIn': {
      if (!Array.isArray(value) || value.length < 2) return []
      const list: readonly JsonValue[] = value
      return list.slice(0, listEntriesMax).map((entry, index) => {
        return change(list.toSpliced(index, 1), `${JSON.stringify(entry)} left the list`)
      })
    }
    case 'regex':
      return typeof value === 'string' ? patternChanges(value).map(([to, text]) => change(to, text)) : []
    default:
      return []
  }
}

/** Typical mistakes in patterns: an anchor is missing, or `+` and `*` are confused. */
function patternChanges(pattern: string): (readonly [string, string])[] {
  const changes: (readonly [string, string])[] = []
  if (pattern.startsWith('^')) changes.push([pattern.slice(1), 'the pattern lost its `^`'])
  if (pattern.endsWith('$') && !pattern.endsWith('\\$'))
    changes.push([pattern.slice(0, -1), 'the pattern lost its `$`'])
  return changes.filter(([to]) => to !== '')
}
