/**
 * Reads the notation of an option: which words select it, whether it takes a value, and the name of its value in an
 * invocation. Commander parses the same notation; this is for help, completion and documentation.
 */
import type { OptionSpec } from '../command.js'

export interface OptionNames {
  /** `-f`, when there is one. */
  readonly short: string | null
  /** `--format`. */
  readonly long: string
  /** `<name>` or `[name]` as written; null for a switch. */
  readonly value: string | null
  /** `format`; `--no-color` gives `color`. */
  readonly key: string
}

export function optionNames(option: OptionSpec): OptionNames {
  const words = option.flags.split(/[ ,|]+/)
  const long = words.find((word) => word.startsWith('--')) ?? ''
  const short = words.find((word) => /^-[^-]$/.test(word)) ?? null
  const value = words.find((word) => word.startsWith('<') || word.startsWith('[')) ?? null
  return { short, long, value, key: camelCase(long.replace(/^--(no-)?/, '')) }
}

function camelCase(text: string): string {
  return text.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}
