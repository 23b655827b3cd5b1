/**
 * Decides how a pattern runs, from the pattern alone.
 *
 * A pattern is refused, or runs on `RegExp`, on the linear-time engine, or on its position automaton.
 */

import type { RegexRefusal } from '../types.js'
import { type PatternNode, programCost } from './ast.js'
import { MAX_ENGINE_PROGRAM, MAX_OVERLAPPING_PROGRAM, MAX_POSITION_WORK, MAX_PROGRAM } from './limits.js'
import { isLinearOnRegExp } from './native-class.js'
import { parsePattern } from './parse.js'
import { type PositionProgram, positionProgram } from './positions/index.js'
import { searchForm } from './search-form.js'

export interface AcceptedPattern {
  /** What is searched for: the smallest pattern that is found in the same texts. */
  readonly form: PatternNode
  /** Upper bound of the program's number of instructions. */
  readonly cost: number
  /** True when a search for `form` on `RegExp` is proven to take linear time. */
  readonly isNative: boolean
  /** For a pattern that could keep an engine busy: its position automaton, which runs instead. Otherwise null. */
  readonly positions: PositionProgram | null
}

export function acceptPattern(pattern: string): AcceptedPattern | { readonly refusal: RegexRefusal } {
  const result = parsePattern(pattern)
  if ('refusal' in result) return result
  const cost = programCost(result.node)
  if (cost > MAX_PROGRAM) return oversized(cost, MAX_PROGRAM, '')
  const form = searchForm(result.node)
  if (isLinearOnRegExp(form)) return { form, cost, isNative: true, positions: null }
  // Time is this size times the length of the text. A pattern that is proven linear takes time in the length alone.
  const size = programCost(form)
  if (size > MAX_OVERLAPPING_PROGRAM) return oversized(size, MAX_OVERLAPPING_PROGRAM, ' where its choices overlap')
  const positions = size > MAX_ENGINE_PROGRAM ? positionProgram(form) : null
  if (positions !== null && positions.work > MAX_POSITION_WORK) {
    return oversized(positions.work, MAX_POSITION_WORK, ' for one character')
  }
  return { form, cost, isNative: false, positions }
}

function oversized(size: number, most: number, where: string): { readonly refusal: RegexRefusal } {
  const message = `the pattern compiles to ${size} instructions, more than ${most}${where}`
  return { refusal: { reason: 'unsafe', message, position: 0 } }
}
