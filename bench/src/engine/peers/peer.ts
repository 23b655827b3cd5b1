/** A peer of the engine: the same rules in its own language, and the ids of the rules that an entity fails. */
import type { Condition, OperatorName, Rule } from '@plumbline/engine'
import type { Entity } from '../entities.js'
import type { Failure } from '../hand-written.js'

export interface Peer {
  readonly name: string
  /** What had to be done so that the peer can say the rules at all. */
  readonly note?: string
  /** Work before the clock starts: what a user would do once an entity, not once an evaluation. */
  prepare?(entity: Entity): unknown
  /** Failed rules, in the record of the hand-written code wherever the peer has room for it. */
  check(prepared: unknown): readonly Failed[] | Promise<readonly Failed[]>
}

export interface Failed {
  readonly ruleId: string
}

/** What the hand-written code reports of a failed rule. */
export function failureOf(rule: Rule): Failure {
  return {
    ruleId: String(rule.id),
    severity: String(rule.severity),
    field: String(rule.conditions?.[0]?.field ?? rule.field),
    message: messageOf(rule),
  }
}

/** Every evaluation reports records of its own, as the hand-written code does. */
export function copyOf({ ruleId, severity, field, message }: Failure): Failure {
  return { ruleId, severity, field, message }
}

/** One check of a rule, its path split for languages that need it. */
export interface Check {
  readonly keys: readonly string[]
  /** A `$count(...)` around the path: absent counts as 0. */
  readonly isCount: boolean
  readonly operator: OperatorName
  readonly value: Exclude<Condition['value'], undefined>
}

export function checksOf(rule: Rule): readonly Check[] {
  const entries = rule.conditions ?? [rule as Condition]
  return entries.map((entry) => {
    const field = String(entry.field)
    const inner = /^\$count\((.*)\)$/.exec(field)?.[1]
    return {
      keys: (inner ?? field).split('.'),
      isCount: inner !== undefined,
      operator: entry.operator as OperatorName,
      value: entry.value ?? null,
    }
  })
}

const messageOf = (rule: Rule): string => `${checksOf(rule)[0]?.keys.join('.')} must ${checksOf(rule)[0]?.operator}`

/** Number of elements, members or UTF-16 units; what peers lack and get as a function of their own. */
export function size(value: unknown): number {
  if (typeof value === 'string') return value.length
  return typeof value === 'object' && value !== null
    ? Array.isArray(value)
      ? value.length
      : Object.keys(value).length
    : Number.NaN
}

export function mentions(value: unknown, part: string): boolean {
  if (typeof value === 'string') return value.toLowerCase().includes(part)
  if (!Array.isArray(value)) return false
  for (let at = 0; at < value.length; at++) {
    if (typeof value[at] === 'string' && value[at].toLowerCase() === part) return true
  }
  return false
}
