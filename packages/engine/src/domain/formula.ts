/**
 * Verdicts as formulas over literals, and the search for an entity that makes a formula true.
 *
 * INVARIANT: the search splits `or` branch by branch. It returns `none` only when every branch is proven to be empty.
 */

import type { Attributes } from '../types.js'
import { type GroupCache, solveConjunction } from './conjunction.js'
import { type Literal, none, type Search, unknown } from './literal.js'

export type Formula =
  | { readonly kind: 'true' }
  | { readonly kind: 'false' }
  | { readonly kind: 'literal'; readonly literal: Literal }
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Formula[] }

export const TRUE: Formula = { kind: 'true' }
export const FALSE: Formula = { kind: 'false' }

export const and = (parts: readonly Formula[]): Formula => combine('and', parts)
export const or = (parts: readonly Formula[]): Formula => combine('or', parts)

const combine = (kind: 'and' | 'or', parts: readonly Formula[]): Formula => {
  const [neutral, absorbing] = kind === 'and' ? (['true', 'false'] as const) : (['false', 'true'] as const)
  const kept: Formula[] = []
  for (const part of parts) {
    if (part.kind === absorbing) return part
    if (part.kind === kind) kept.push(...part.parts)
    else if (part.kind !== neutral) kept.push(part)
  }
  const [only] = kept
  if (only === undefined) return kind === 'and' ? TRUE : FALSE
  return kept.length === 1 ? only : { kind, parts: kept }
}

export const not = (formula: Formula): Formula => {
  switch (formula.kind) {
    case 'true':
      return FALSE
    case 'false':
      return TRUE
    case 'literal':
      return { kind: 'literal', literal: { ...formula.literal, holds: !formula.literal.holds } }
    case 'and':
      return or(formula.parts.map(not))
    case 'or':
      return and(formula.parts.map(not))
  }
}

/** Every literal in the formulas, in order, each check once. */
export const literalsOf = (formulas: readonly Formula[]): readonly Literal[] => {
  const seen = new Map<number, Literal>()
  const visit = (part: Formula): void => {
    if (part.kind === 'literal') {
      if (!seen.has(part.literal.check.index)) seen.set(part.literal.check.index, part.literal)
    } else if (part.kind === 'and' || part.kind === 'or') part.parts.forEach(visit)
  }
  formulas.forEach(visit)
  return [...seen.values()]
}

const MAX_BRANCHES = 2_600

export interface SolveOptions {
  readonly cache?: GroupCache
  /** Called for each conjunction that was proven to be empty; used to put a proof into words. */
  readonly onConflict?: (literals: readonly Literal[]) => void
}

/** Finds an entity that makes the formula true, or proves that none exists, or says why it could do neither. */
export const solveFormula = (formula: Formula, options: SolveOptions = {}): Search<Attributes> => {
  const cache = options.cache ?? new Map()
  let branches = 0
  let doubt: Search<Attributes> = none

  /** @returns the result that was found, or null when this branch has none. */
  const explore = (pending: readonly Formula[], literals: ReadonlyMap<number, Literal>): Search<Attributes> | null => {
    const chosen = new Map(literals)
    const choices: (Formula & { readonly kind: 'or' })[] = []
    const stack = [...pending]
    for (let part = stack.pop(); part !== undefined; part = stack.pop()) {
      if (part.kind === 'false') return null
      if (part.kind === 'and') stack.push(...part.parts)
      else if (part.kind === 'or') choices.push(part as Formula & { readonly kind: 'or' })
      else if (part.kind === 'literal') {
        const { literal } = part
        const known = chosen.get(literal.check.index)
        if (known === undefined) chosen.set(literal.check.index, literal)
        else if (known.holds !== literal.holds) {
          options.onConflict?.([known, literal])
          return null
        }
      }
    }
    const open = choices.filter((choice) => !choice.parts.some((part) => isChosen(part, chosen)))
    open.sort((a, b) => a.parts.length - b.parts.length)
    const [first, ...rest] = open
    if (first === undefined) {
      branches += 1
      if (branches > MAX_BRANCHES) return unknown('the rules have too many combinations of conditions')
      const result = solveConjunction([...chosen.values()], cache)
      if (result.status === 'found') return result
      if (result.status === 'none') options.onConflict?.([...chosen.values()])
      else if (doubt.status === 'none') doubt = result
      return null
    }
    // When the literals chosen so far already exclude each other, no split is needed.
    if (chosen.size > 0 && first.parts.length * rest.length > 0) {
      const early = solveConjunction([...chosen.values()], cache)
      if (early.status === 'none') {
        options.onConflict?.([...chosen.values()])
        return null
      }
    }
    for (const part of first.parts) {
      const result = explore([part, ...rest], chosen)
      if (result !== null) return result
    }
    return null
  }
  return explore([formula], new Map()) ?? doubt
}

const isChosen = (part: Formula, chosen: ReadonlyMap<number, Literal>): boolean =>
  part.kind === 'true' ||
  (part.kind === 'literal' && chosen.get(part.literal.check.index)?.holds === part.literal.holds)

/** Returns the fewest of these literals that already exclude each other, so that the reader of a proof sees no others. */
export const smallestConflict = (literals: readonly Literal[], cache: GroupCache): readonly Literal[] => {
  let kept = [...literals]
  if (kept.length > 60) return kept
  for (const literal of literals) {
    const without = kept.filter((other) => other !== literal)
    if (solveConjunction(without, cache).status === 'none') kept = without
  }
  return kept
}
