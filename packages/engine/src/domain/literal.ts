/**
 * The atoms of the static analysis: one check of the engine on one path, required to hold or to fail.
 *
 * INVARIANT: whether a literal is met by a concrete value is decided by the engine's own kernel, never by a second
 * reading of the operators. The domains only choose which values to try, and prove when no value is left.
 */

import { type Check, HOLDS, makeCheck, Outcome } from '../operator/check.js'
import { checkValue } from '../operator/kernel.js'
import { computed } from '../path/computed.js'
import type { FieldPath } from '../path/field-path.js'
import { stepInto } from '../path/resolve.js'
import type { ComputedFunctionName } from '../types.js'
import { readValue } from '../value/own.js'

export interface Literal {
  readonly check: Check
  readonly path: FieldPath
  /** Whether the check must hold or must fail; failing is not the same as the opposite operator. */
  readonly holds: boolean
}

/** A value that meets what was asked, the proof that none does, or why neither was found. */
export type Search<Value> =
  | { readonly status: 'found'; readonly value: Value }
  | { readonly status: 'none' }
  | { readonly status: 'unknown'; readonly reason: string }

export const found = <Value>(value: Value): Search<Value> => ({ status: 'found', value })
export const none: Search<never> = { status: 'none' }
export const unknown = (reason: string): Search<never> => ({ status: 'unknown', reason })

/** The engine's verdict of one check on one value; `undefined` is absent. */
export const checkHolds = (check: Check, value: unknown): boolean => {
  let alone = checksAlone.get(check)
  if (alone === undefined) {
    alone = makeCheck(check, 0)
    checksAlone.set(check, alone)
  }
  const outcome = new Outcome(1)
  checkValue(alone, value, outcome)
  return outcome.marks[0] === HOLDS
}

/** The same checks with the first place in an outcome of their own. */
const checksAlone = new WeakMap<Check, Check>()

/** Applies computed functions, the outermost first in the list, as the engine does. */
export const applyCalls = (calls: readonly ComputedFunctionName[], value: unknown): unknown => {
  let result = value
  for (let index = calls.length - 1; index >= 0; index--) {
    const name = calls[index]
    if (name !== undefined) result = computed[name](result)
  }
  return result
}

/** The part of a conjunction that speaks of one place in the entity, and of the places below it. */
export interface PlaceNode {
  readonly own: Literal[]
  readonly children: Map<string, PlaceNode>
}

const placeNode = (): PlaceNode => ({ own: [], children: new Map() })

/** The literals as a tree of places; the root is the entity itself. */
export const placesOf = (literals: readonly Literal[]): PlaceNode => {
  const root = placeNode()
  for (const literal of literals) {
    let node = root
    for (const segment of literal.path.segments) {
      let child = node.children.get(segment)
      if (child === undefined) {
        child = placeNode()
        node.children.set(segment, child)
      }
      node = child
    }
    node.own.push(literal)
  }
  return root
}

const literalMet = (literal: Literal, value: unknown): boolean =>
  checkHolds(literal.check, applyCalls(literal.path.calls, value)) === literal.holds

/** Whether a value at this place meets every literal here and below. */
export const meets = (node: PlaceNode, value: unknown): boolean => {
  for (const literal of node.own) if (!literalMet(literal, value)) return false
  for (const [segment, child] of node.children) {
    if (!meets(child, readValue(stepInto(value, segment)))) return false
  }
  return true
}

/** Among several alternatives: any find wins, then any doubt, and only then the proof of none. */
export const firstFound = <Value>(attempts: Iterable<() => Search<Value>>): Search<Value> => {
  let doubt: Search<Value> = none
  for (const attempt of attempts) {
    const result = attempt()
    if (result.status === 'found') return result
    if (result.status === 'unknown' && doubt.status === 'none') doubt = result
  }
  return doubt
}
