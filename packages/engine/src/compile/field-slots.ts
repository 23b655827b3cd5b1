/**
 * The fields of a plan as a table of slots, so that one evaluation reads each distinct path once.
 *
 * A slot is one step: a key of the root, a member of an earlier slot, or a computed function of an earlier slot.
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
  /** The key as a list index, or -1 when the key is not an index. */
  readonly index: number
  readonly call: ComputedFunctionName | null
  /** The sensitivity of this slot's value. Results of computed functions are never sensitive. */
  readonly sensitivity: Sensitivity
  /** Checks that can fail when the value is present. */
  readonly checks: Check[]
  /** Indexes of the checks that fail when the value is absent. */
  readonly failWhenAbsent: number[]
}

export class FieldSlots {
  readonly slots: FieldSlot[] = []
  /** Slot of each key of the root. */
  readonly roots = new Map<string, number>()
  readonly #children = new Map<string, number>()

  /** Returns the slot of a path, and adds the slots that are missing. */
  at(path: FieldPath): number {
    let slot = -1
    for (const segment of path.segments) slot = this.#step(slot, segment, null)
    for (let index = path.calls.length - 1; index >= 0; index--) slot = this.#step(slot, '', path.calls[index] ?? null)
    return slot
  }

  /** Adds a check to the slot it reads. */
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
    // `key` may be a slice of the path, which the JavaScript engine looks up in its string table at each read. A
    // property name is interned, so this takes the key back as a property name.
    for (key in { [key]: 0 });
    return (
      this.slots.push({ parent, key, index: listIndex(key), call, sensitivity, checks: [], failWhenAbsent: [] }) - 1
    )
  }
}
