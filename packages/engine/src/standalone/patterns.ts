/**
 * How each pattern of a rule set is written into a module: as a literal when `RegExp` is proven linear, as a table when
 * the table is small, otherwise for an engine.
 */

import { acceptPattern } from '../regex/accept.js'
import type { PatternNode } from '../regex/ast.js'
import { toEcmaScript, toRe2 } from '../regex/emit.js'
import { positionProgram } from '../regex/positions/index.js'
import type { JsonValue } from '../types.js'
import { buildDfa } from './dfa.js'
import { literal } from './literal.js'

/** How to run a pattern that is neither linear on `RegExp` nor a small table. */
export type ForeignPatterns = 'inline' | 'import' | 'reject'

export interface PatternSource {
  /** An expression for a function from text to verdict. */
  readonly matcher: string
  /** The matcher is a `RegExp` literal and is tested in place. */
  readonly isLiteral: boolean
  /** The matcher runs on the imported engine, which may fail. */
  readonly isImported: boolean
  /** The matcher needs `positionMatcher` of the runtime. */
  readonly isSimulated: boolean
}

/** Returns the source of a pattern; null when it needs an engine and `foreign` is `reject`. */
export function patternSource(pattern: string, foreign: ForeignPatterns): PatternSource | null {
  const result = acceptPattern(pattern)
  if ('refusal' in result) return null
  const { form } = result
  if (result.isNative) return source(`/${toEcmaScript(form)}/`, { isLiteral: true })
  const table = tableSource(form)
  if (table !== null) return source(table)
  if (foreign === 'reject') return null
  return foreign === 'import'
    ? source(`importedMatcher(${literal(toRe2(form))})`, { isImported: true })
    : source(`positionMatcher(${literal(positionProgram(form) as unknown as JsonValue)})`, { isSimulated: true })
}

function source(
  matcher: string,
  kind: Partial<Pick<PatternSource, 'isLiteral' | 'isImported' | 'isSimulated'>> = {},
): PatternSource {
  return { matcher, isLiteral: false, isImported: false, isSimulated: false, ...kind }
}

function tableSource(node: PatternNode): string | null {
  const dfa = buildDfa(node)
  if (dfa === null) return null
  const { starts, classes, size } = dfa.alphabet
  return `tableMatcher(${[starts, classes, size, dfa.start, dfa.next, dfa.accepting].map(numbers).join(',')})`
}

type Numbers = number | readonly Numbers[]

function numbers(value: Numbers): string {
  return typeof value === 'number' ? String(value) : `[${value.map(numbers).join(',')}]`
}
