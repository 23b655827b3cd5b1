/**
 * Literals, the atoms of the static analysis: one check of the engine on one path, required to hold or to fail.
 *
 * INVARIANT: the engine's own kernel decides whether a concrete value meets a literal; the operators are not
 * implemented a second time. The domains only choose which values to try, and prove when no value is left.
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
  /** True when the check must hold, false when it must fail. A failing check is not the same as the opposite operator. */
  readonly holds: boolean
}

/** A value that meets the demands, or the proof that none does, or why neither was found. */
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

/** For each check a copy with index 0, so that it runs in an outcome that has one place. */
const checksAlone = new WeakMap<Check, Check>()

/** Applies computed functions as the engine does. The outermost function is first in the list and is applied last. */
export const applyCalls = (calls: readonly ComputedFunctionName[], value: unknown): unknown => {
  let result = value
  for (let index = calls.length - 1; index >= 0; index--) {
    const name = calls[index]
    if (name !== undefined) result = computed[name](result)
  }
  return result
}

/** The part of a conjunction about one place in the entity and the places below it. */
export interface PlaceNode {
  readonly own: Literal[]
  readonly children: Map<string, PlaceNode>
}

const placeNode = (): PlaceNode => ({ own: [], children: new Map() })

/** Arranges the literals as a tree of places. The root is the entity itself. */
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

/** True when a value at this place meets every literal of the place and of the places below it. */
export const meets = (node: PlaceNode, value: unknown): boolean => {
  for (const literal of node.own) if (!literalMet(literal, value)) return false
  for (const [segment, child] of node.children) {
    if (!meets(child, readValue(stepInto(value, segment)))) return false
  }
  return true
}

/**
 * Combines alternatives: a found value wins, then an `unknown`; `none` is returned only when every alternative is
 * `none`.
 */
export const firstFound = <Value>(attempts: Iterable<() => Search<Value>>): Search<Value> => {
  let doubt: Search<Value> = none
  for (const attempt of attempts) {
    const result = attempt()
    if (result.status === 'found') return result
    if (result.status === 'unknown' && doubt.status === 'none') doubt = result
  }
  return doubt
}
