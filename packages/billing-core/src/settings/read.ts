/**
 * Reads one setting at a time and collects every mistake, so that an operator sees all of them at one start.
 *
 * A value that is set must be valid: nothing falls back to a default silently. Messages never contain the value of a
 * secret.
 */
import { show } from '../refusal/refusal.js'

export type SettingValues = Readonly<Record<string, string | undefined>>

export interface SettingIssue {
  /** The name of the setting. */
  readonly field: string
  readonly message: string
}

export type Loaded<T> =
  | { readonly ok: true; readonly value: T; readonly warnings: readonly SettingIssue[] }
  | { readonly ok: false; readonly issues: readonly SettingIssue[]; readonly warnings: readonly SettingIssue[] }

const WHOLE = /^(0|[1-9][0-9]*)$/
const WHOLE_OR_MINUS_ONE = /^(-1|0|[1-9][0-9]*)$/

export class SettingReader {
  readonly issues: SettingIssue[] = []
  readonly warnings: SettingIssue[] = []

  constructor(private readonly values: SettingValues) {}

  /** Returns the text of a setting, or undefined when it is not set. Reads own properties only. */
  text(name: string): string | undefined {
    return Object.hasOwn(this.values, name) ? this.values[name] : undefined
  }

  issue(field: string, message: string): void {
    this.issues.push({ field, message: `${field} ${message}` })
  }

  warn(field: string, message: string): void {
    this.warnings.push({ field, message: `${field} ${message}` })
  }

  /** Reads a text that is not empty, of at most `max` characters. */
  string(name: string, max = 1_000): string | undefined {
    const text = this.text(name)
    if (text === undefined) return undefined
    if (text.trim() !== '' && text.length <= max) return text
    this.issue(name, `must be 1 to ${max} characters`)
    return undefined
  }

  /** Reads a whole number from `min` (−1 or more) to `max`, without plus sign, decimal point or leading zeros. */
  whole(name: string, min = 0, max = Number.MAX_SAFE_INTEGER): number | undefined {
    const text = this.text(name)
    if (text === undefined) return undefined
    const value = (min < 0 ? WHOLE_OR_MINUS_ONE : WHOLE).test(text) ? Number(text) : Number.NaN
    if (Number.isSafeInteger(value) && value >= min && value <= max) return value
    const bound = max === Number.MAX_SAFE_INTEGER ? `from ${min}` : `from ${min} to ${max}`
    this.issue(name, `must be a whole number ${bound}, not ${show(text)}`)
    return undefined
  }

  boolean(name: string): boolean | undefined {
    const text = this.text(name)
    if (text === undefined) return undefined
    if (text === 'true' || text === 'false') return text === 'true'
    this.issue(name, `must be true or false, not ${show(text)}`)
    return undefined
  }

  choice<T extends string>(name: string, choices: readonly T[]): T | undefined {
    const text = this.text(name)
    if (text === undefined) return undefined
    const found = choices.find((choice) => choice === text)
    if (found === undefined) this.issue(name, `must be one of ${choices.join(', ')}, not ${show(text)}`)
    return found
  }

  /** Reads a JSON array of distinct texts that are not empty and that all pass `accept`. */
  list<T extends string>(name: string, what: string, accept: (entry: string) => entry is T): T[] | undefined {
    const text = this.text(name)
    if (text === undefined) return undefined
    const value = parseJson(text)
    const entries = Array.isArray(value) ? value : []
    const good = entries.filter((entry): entry is T => typeof entry === 'string' && accept(entry))
    if (entries.length > 0 && good.length === entries.length && new Set(good).size === good.length) return good
    this.issue(name, `must be a JSON array of ${what}, not ${show(text)}`)
    return undefined
  }
}

/** Returns the value of a JSON text, or undefined when it cannot be parsed. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
