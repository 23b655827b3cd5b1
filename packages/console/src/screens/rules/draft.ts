/** The draft of a rule, which can be written as a form, as JSON or as YAML. */
import { parse as parseYaml, stringify as stringifyYaml } from 'yaml'
import type { components } from '../../data/api.js'
import { EDITABLE } from '../../data/rule-diff.js'

export type Draft = Readonly<Record<string, unknown>>
export type Language = 'json' | 'yaml'
type Rule = components['schemas']['Rule']

export interface Condition {
  readonly field: string
  readonly operator: string
  readonly value?: unknown
  readonly dependsOnRule?: string
}

export const NEW_DRAFT: Draft = {
  name: '',
  target: 'pipeline',
  severity: 'error',
  mode: 'observe',
  field: '',
  operator: 'exists',
}

/** The fields of a stored rule that an author writes: without those that the server adds, and without defaults. */
export function draftOf(rule: Rule): Draft {
  const defaults: Draft = {
    tags: [],
    priority: 0,
    isActive: true,
    propagateToChildren: false,
    suppressNotification: false,
    conditionMode: 'all',
  }
  const isWritten = ([name, value]: readonly [string, unknown]) =>
    value !== null && value !== undefined && JSON.stringify(value) !== JSON.stringify(defaults[name])
  return Object.fromEntries(EDITABLE.map((name) => [name, rule[name]] as const).filter(isWritten))
}

export const writeDraft = (draft: Draft, language: Language): string =>
  language === 'json' ? `${JSON.stringify(draft, null, 2)}\n` : stringifyYaml(draft)

export type ReadDraft = { readonly draft: Draft } | { readonly problem: string }

export function readDraft(text: string, language: Language): ReadDraft {
  try {
    const value: unknown = language === 'json' ? JSON.parse(text) : parseYaml(text, { maxAliasCount: 0 })
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return { problem: 'not an object' }
    return { draft: value as Draft }
  } catch (error) {
    return { problem: (error as Error).message }
  }
}

/** For an entry that is just being written, such as `-` in YAML. */
const EMPTY_CONDITION: Condition = { field: '', operator: 'exists' }
const isCondition = (entry: unknown): boolean => typeof entry === 'object' && entry !== null && !Array.isArray(entry)

export function conditionsOf(draft: Draft): readonly Condition[] {
  const { conditions, field, operator, value } = draft
  if (Array.isArray(conditions) && conditions.length > 0)
    return conditions.map((entry) => (isCondition(entry) ? entry : EMPTY_CONDITION))
  return [
    { field: String(field ?? ''), operator: String(operator ?? 'exists'), ...(value === undefined ? {} : { value }) },
  ]
}

/** Whether the rule, or a part of it, depends on another rule. */
export const isGated = (draft: Draft): boolean => conditionsOf(draft).some((each) => each.dependsOnRule !== undefined)

/** A single condition is written into the rule itself, several into its list. */
export function withConditions(draft: Draft, conditions: readonly Condition[]): Draft {
  const { conditions: _list, conditionMode, field: _field, operator: _operator, value: _value, ...rest } = draft
  const [only] = conditions
  if (only !== undefined && conditions.length === 1 && only.dependsOnRule === undefined) return { ...rest, ...only }
  return { ...rest, conditionMode: conditionMode ?? 'all', conditions }
}

/**
 * Text that is valid JSON is read as JSON, such as `["a", 1]`, `3` or `true`; other text stays text, such as `abc`. A
 * pattern is always text.
 */
export function readValue(text: string, operator: string): unknown {
  if (text === '') return undefined
  if (operator === 'regex') return text
  try {
    return JSON.parse(text)
  } catch {
    if (operator === 'in' || operator === 'notIn') return text.split(',').map((each) => each.trim())
    return text
  }
}

/** The text that `readValue` reads as this value. */
export function showOperand(value: unknown, operator: string): string {
  if (value === undefined) return ''
  const isItself = typeof value === 'string' && (operator === 'regex' || readValue(value, operator) === value)
  return isItself ? value : JSON.stringify(value)
}

/** One condition is in its own fields, several are in a list. So these fields change only together. */
const CONDITION_FIELDS = ['field', 'operator', 'value', 'conditionMode', 'conditions']

export interface Rebased {
  readonly draft: Draft
  /** The fields that both changed, each to another value. The draft has its own values there. */
  readonly both: readonly string[]
}

/** The draft on a newer version of its rule: fields that the author did not change are as in the newest version. */
export function rebase(base: Draft, draft: Draft, newest: Draft): Rebased {
  const changed = Object.keys(patchOf(base, draft))
  const isOfCondition = changed.some((name) => CONDITION_FIELDS.includes(name))
  const mine = new Set([...changed, ...(isOfCondition ? CONDITION_FIELDS : [])])
  const theirs = patchOf(base, newest)
  const differs = patchOf(newest, draft)
  const names = new Set([...Object.keys(newest), ...mine])
  const merged = [...names].map((name) => [name, mine.has(name) ? draft[name] : newest[name]] as const)
  return {
    draft: Object.fromEntries(merged.filter(([, value]) => value !== undefined)),
    both: [...mine].filter((name) => name in theirs && name in differs),
  }
}

/** The body of an update of a stored rule: the fields that differ, with null for removed ones. */
export function patchOf(before: Draft, after: Draft): Draft {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  const isChanged = (name: string) => JSON.stringify(before[name]) !== JSON.stringify(after[name])
  return Object.fromEntries([...names].filter(isChanged).map((name) => [name, after[name] ?? null]))
}
