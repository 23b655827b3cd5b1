/** The scratch space of one evaluation, and the pass that fills it: fields read, checks run. */
import type { Plan } from '../compile/plan.js'
import { Outcome, PENDING } from '../operator/check.js'
import { checkPresent } from '../operator/kernel.js'
import type { JsonValue } from '../types.js'
import { slotValue } from './read-fields.js'

/** What one evaluation writes to. The next evaluation uses it again. */
export class Space {
  readonly values: unknown[]
  /**
   * By slot, what violations show of a container. The copy is made once, even when several rules on the field are
   * violated.
   */
  readonly shown: (JsonValue | undefined)[]
  readonly #shownSlots: Int32Array
  #shownCount = 0
  readonly outcome: Outcome
  /** The state of each rule. It is kept only when rules depend on other rules. */
  readonly states: Uint8Array
  /** Positions of the rules to decide, in ascending order. */
  readonly visit: Int32Array
  /** The number of rules whose pattern could not be run. */
  faults = 0

  constructor(plan: Plan) {
    this.values = new Array<unknown>(plan.slots.length).fill(undefined)
    this.shown = new Array<JsonValue | undefined>(plan.slots.length).fill(undefined)
    this.#shownSlots = new Int32Array(plan.slots.length)
    this.visit = new Int32Array(plan.rules.length + 1)
    this.outcome = new Outcome(plan.checks.length)
    this.states = new Uint8Array(plan.gated ? plan.rules.length : 0)
  }

  show(slot: number, value: JsonValue): void {
    this.shown[slot] = value
    this.#shownSlots[this.#shownCount++] = slot
  }

  clear(): void {
    // A loop, because on lists this short it is faster than `fill`.
    for (let slot = 0; slot < this.values.length; slot++) this.values[slot] = undefined
    for (let at = 0; at < this.#shownCount; at++) this.shown[this.#shownSlots[at] as number] = undefined
    this.#shownCount = 0
    this.faults = 0
    this.outcome.clear()
  }
}

/** Reads every slot and marks every failing check. The values of the root's keys must be in their slots already. */
export const runChecks = (plan: Plan, space: Space): void => {
  const { slots } = plan
  const { values, outcome } = space
  for (let at = 0; at < slots.length; at++) {
    const slot = slots[at]
    if (slot === undefined) return
    const value = slotValue(slot, values[at], values)
    values[at] = value
    if (value === undefined) {
      const failing = slot.failWhenAbsent
      for (let index = 0; index < failing.length; index++) outcome.mark(failing[index] as number)
    } else if (slot.checks.length > 0) checkPresent(slot.checks, value, outcome)
  }
  for (const index of plan.deferred) outcome.mark(index, PENDING)
}
