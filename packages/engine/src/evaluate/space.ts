/** The scratch space of one evaluation, and the pass that fills it: fields read, checks run. */
import type { Plan } from '../compile/plan.js'
import { Outcome, PENDING } from '../operator/check.js'
import { checkPresent } from '../operator/kernel.js'
import type { JsonValue } from '../types.js'
import { slotValue } from './read-fields.js'

/** What one evaluation writes to; used again by the next. */
export class Space {
  readonly values: unknown[]
  /** What violations show of a container, by slot: made once, however many rules its field breaks. */
  readonly shown: (JsonValue | undefined)[]
  readonly #shownSlots: Int32Array
  #shownCount = 0
  readonly outcome: Outcome
  /** State of each rule, kept only when rules depend on rules. */
  readonly states: Uint8Array
  /** Positions of the rules to decide, in ascending order. */
  readonly visit: Int32Array
  /** Rules whose pattern could not be run. */
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
    // A loop, because `fill` costs more than it saves on lists this short.
    for (let slot = 0; slot < this.values.length; slot++) this.values[slot] = undefined
    for (let at = 0; at < this.#shownCount; at++) this.shown[this.#shownSlots[at] as number] = undefined
    this.#shownCount = 0
    this.faults = 0
    this.outcome.clear()
  }
}

/** Expects the values of the root's keys in their slots; leaves every slot read and every failing check marked. */
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
      for (let index = 0; index < failing.length; index++) outcome.fail(failing[index] as number)
    } else if (slot.checks.length > 0) checkPresent(slot.checks, value, outcome)
  }
  for (const index of plan.deferred) outcome.mark(index, PENDING)
}
