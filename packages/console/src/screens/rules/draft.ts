/** One draft of a rule, whichever way it is written: as a form, as JSON, as YAML. */
import { parse as parseYaml, stringify as stringifyYaml } from 'yaml'
import type { components } from '../../data/api.js'
import { EDITABLE } from './rule-diff.js'

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

/** What an author writes of a stored rule: without what the server adds, and without defaults. */
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

export function conditionsOf(draft: Draft): readonly Condition[] {
  const { conditions, field, operator, value } = draft
  if (Array.isArray(conditions) && conditions.length > 0) return conditions as Condition[]
  return [
    { field: String(field ?? ''), operator: String(operator ?? 'exists'), ...(value === undefined ? {} : { value }) },
  ]
}

/** One condition stands in the rule itself, several in its list. */
export function withConditions(draft: Draft, conditions: readonly Condition[]): Draft {
  const { conditions: _list, conditionMode, field: _field, operator: _operator, value: _value, ...rest } = draft
  const [only] = conditions
  if (only !== undefined && conditions.length === 1 && only.dependsOnRule === undefined) return { ...rest, ...only }
  return { ...rest, conditionMode: conditionMode ?? 'all', conditions }
}

/** `["a", 1]`, `3`, `true` are what JSON says; `abc` is a text. Patterns are always text. */
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

export function showOperand(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return isJsonText(value) ? JSON.stringify(value) : value
  return JSON.stringify(value)
}

function isJsonText(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** What a change of a stored rule has to send: what differs, with null for what was taken away. */
export function patchOf(before: Draft, after: Draft): Draft {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  const isChanged = (name: string) => JSON.stringify(before[name]) !== JSON.stringify(after[name])
  return Object.fromEntries([...names].filter(isChanged).map((name) => [name, after[name] ?? null]))
}
