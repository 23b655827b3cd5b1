/** A peer of the engine: the same rules in its own language, and the ids of the rules that an entity fails. */
import type { Condition, OperatorName, Rule } from '@plumbline/engine'
import type { Entity } from '../entities.js'
import type { Failure } from '../hand-written.js'

export interface Peer {
  readonly name: string
  /** What was necessary so that the peer can express the rules. */
  readonly note?: string
  /** Work before the clock starts: what a user would do once per entity and not once per evaluation. */
  prepare?(entity: Entity): unknown
  /** Failed rules, in the form of the hand-written code if the peer supports it. */
  check(prepared: unknown): readonly Failed[] | Promise<readonly Failed[]>
}

export interface Failed {
  readonly ruleId: string
}

/** The record that the hand-written code returns for a failed rule. */
export function failureOf(rule: Rule): Failure {
  return {
    ruleId: String(rule.id),
    severity: String(rule.severity),
    field: String(rule.conditions?.[0]?.field ?? rule.field),
    message: messageOf(rule),
  }
}

/** Every evaluation returns new records, as the hand-written code does. */
export function copyOf({ ruleId, severity, field, message }: Failure): Failure {
  return { ruleId, severity, field, message }
}

/** One check of a rule. Its path is split, because some languages need that. */
export interface Check {
  readonly keys: readonly string[]
  /** Whether the path is inside `$count(...)`, where absent counts as 0. */
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

/** Number of elements, members or UTF-16 units. Peers without it get it as a function. */
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
