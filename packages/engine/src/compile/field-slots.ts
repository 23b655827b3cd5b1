/**
 * The fields of a plan as a table of slots, so that each distinct path is read once an entity.
 *
 * A slot is one step: a key of the root, a member of an earlier slot, or a computed function of one.
 * INVARIANT: a slot comes after the slot it reads from.
 */

import type { Check } from '../operator/check.js'
import { Op } from '../operator/op.js'
import type { FieldPath } from '../path/field-path.js'
import { listIndex } from '../path/resolve.js'
import type { ComputedFunctionName } from '../types.js'
import { type Sensitivity, stepSensitivity } from '../value/redact.js'

export interface FieldSlot {
  /** -1 reads the root. */
  readonly parent: number
  readonly key: string
  /** The key as an index of a list, -1 when it is none. */
  readonly index: number
  readonly call: ComputedFunctionName | null
  /** Of the value here; results of computed functions are never sensitive. */
  readonly sensitivity: Sensitivity
  /** Checks that some present value may fail. */
  readonly checks: Check[]
  /** Indexes of the checks that absence fails. */
  readonly failWhenAbsent: number[]
}

export class FieldSlots {
  readonly slots: FieldSlot[] = []
  /** Slot of each key of the root. */
  readonly roots = new Map<string, number>()
  readonly #children = new Map<string, number>()

  /** The slot that holds the value at a path. */
  at(path: FieldPath): number {
    let slot = -1
    for (const segment of path.segments) slot = this.#step(slot, segment, null)
    for (let index = path.calls.length - 1; index >= 0; index--) slot = this.#step(slot, '', path.calls[index] ?? null)
    return slot
  }

  /** Lists a check at its slot. */
  add(slot: number, check: Check): void {
    const place = this.slots[slot]
    if (place === undefined) return
    if (check.op !== Op.exists) place.checks.push(check)
    if (!check.onAbsent) place.failWhenAbsent.push(check.index)
  }

  #step(parent: number, key: string, call: ComputedFunctionName | null): number {
    if (parent === -1) {
      const known = this.roots.get(key)
      if (known !== undefined) return known
      this.roots.set(key, this.slots.length)
    } else {
      const name = `${parent} ${call ?? ''} ${key}`
      const known = this.#children.get(name)
      if (known !== undefined) return known
      this.#children.set(name, this.slots.length)
    }
    const before = this.slots[parent]?.sensitivity ?? 'none'
    const sensitivity = call === null ? stepSensitivity(before, key) : 'none'
    return (
      this.slots.push({ parent, key, index: listIndex(key), call, sensitivity, checks: [], failWhenAbsent: [] }) - 1
    )
  }
}
