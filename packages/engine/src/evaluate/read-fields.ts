/**
 * Reads the fields of a plan from one entity.
 *
 * The root is iterated once and each key that a rule names is stored; deeper slots follow. Only own members are read.
 * This costs less than a guarded look-up for each field: see docs/decisions/0002-checks-as-data-not-generated-code.md.
 */

import type { FieldSlot } from '../compile/field-slots.js'
import type { Plan } from '../compile/plan.js'
import { computed } from '../path/computed.js'
import { stepInto } from '../path/resolve.js'
import type { Attributes } from '../types.js'
import { readValue, walksOwnKeys } from '../value/own.js'

/**
 * Finds the slot of a key of the root. Entities tend to list their keys in the same order, so the slot that followed
 * last time is tried first. The guess is only a hint: its key is compared, and the map decides when it differs.
 */
export class RootKeys {
  readonly #slots: ReadonlyMap<string, number>
  readonly #start: number
  readonly #guessedKey: string[]
  readonly #guessedSlot: Int32Array

  constructor(plan: Plan) {
    this.#slots = plan.roots
    this.#start = plan.slots.length
    this.#guessedKey = new Array<string>(plan.slots.length + 1).fill('')
    this.#guessedSlot = new Int32Array(plan.slots.length + 1).fill(-1)
  }

  /** Stores the value of each key that a rule names in its slot. */
  read(attributes: Attributes, values: unknown[]): void {
    if (!walksOwnKeys(attributes)) {
      this.#readListed(attributes, values)
      return
    }
    const guessedKey = this.#guessedKey
    const guessedSlot = this.#guessedSlot
    let last = this.#start
    for (const key in attributes) {
      let slot = guessedSlot[last] as number
      if (guessedKey[last] !== key || slot === -1) {
        const found = this.#slots.get(key)
        if (found === undefined) continue
        slot = found
        guessedKey[last] = key
        guessedSlot[last] = slot
      }
      last = slot
      values[slot] = attributes[key]
    }
  }

  #readListed(attributes: Attributes, values: unknown[]): void {
    for (const key of Object.keys(attributes)) {
      const slot = this.#slots.get(key)
      if (slot !== undefined) values[slot] = attributes[key]
    }
  }
}

/** The value of a slot as JSON: from `raw` for a key of the root, otherwise from the value of the parent slot. */
export const slotValue = (field: FieldSlot, raw: unknown, values: readonly unknown[]): unknown => {
  if (field.parent === -1) return readValue(raw)
  const parent = values[field.parent]
  return field.call === null ? stepInto(parent, field.key, field.index) : computed[field.call](parent)
}
