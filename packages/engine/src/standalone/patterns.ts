/**
 * How each pattern of a rule set gets into a module: as a literal where `RegExp` is proven linear, as a table where
 * that is small, else by an engine.
 */

import { acceptPattern } from '../regex/accept.js'
import type { PatternNode } from '../regex/ast.js'
import { toEcmaScript, toRe2 } from '../regex/emit.js'
import { positionProgram } from '../regex/positions/index.js'
import type { JsonValue } from '../types.js'
import { buildDfa } from './dfa.js'
import { literal } from './literal.js'

/** What becomes of a pattern that is neither linear on `RegExp` nor a small table. */
export type ForeignPatterns = 'inline' | 'import' | 'reject'

export interface PatternSource {
  /** Expression that makes a function from text to verdict. */
  readonly matcher: string
  /** A `RegExp` literal, tested in place. */
  readonly isLiteral: boolean
  /** Runs on the imported engine, which may fault. */
  readonly isImported: boolean
  /** Needs `positionMatcher` of the runtime. */
  readonly isSimulated: boolean
}

/** Null for a pattern that is foreign while foreign patterns are rejected. */
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
