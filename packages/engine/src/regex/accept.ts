/**
 * Decides what becomes of a pattern, from the pattern alone: refused, run on `RegExp`, or run on the linear engine.
 */

import type { RegexRefusal } from '../types.js'
import { type PatternNode, programCost } from './ast.js'
import { MAX_ENGINE_PROGRAM, MAX_PROGRAM } from './limits.js'
import { isLinearOnRegExp } from './native-class.js'
import { parsePattern } from './parse.js'
import { searchForm } from './search-form.js'

export interface AcceptedPattern {
  /** What is searched for: the smallest pattern that is found in the same texts. */
  readonly form: PatternNode
  /** Upper bound of the program's instructions. */
  readonly cost: number
  /** `RegExp` is proven to search for the form in linear time. */
  readonly isNative: boolean
}

export function acceptPattern(pattern: string): AcceptedPattern | { readonly refusal: RegexRefusal } {
  const result = parsePattern(pattern)
  if ('refusal' in result) return result
  const cost = programCost(result.node)
  if (cost > MAX_PROGRAM) return oversized(cost, MAX_PROGRAM, '')
  const form = searchForm(result.node)
  const isNative = isLinearOnRegExp(form)
  // An engine's time is this size times the length of the text, where a proven pattern's is the length alone.
  const size = programCost(form)
  if (!isNative && size > MAX_ENGINE_PROGRAM) {
    return oversized(size, MAX_ENGINE_PROGRAM, ' where its choices overlap')
  }
  return { form, cost, isNative }
}

function oversized(size: number, most: number, where: string): { readonly refusal: RegexRefusal } {
  const message = `the pattern compiles to ${size} instructions, more than ${most}${where}`
  return { refusal: { reason: 'unsafe', message, position: 0 } }
}
