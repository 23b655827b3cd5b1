/** How the fake provider fails on request. */

export const FAULT_KINDS = [
  /** The request never arrives. */
  'lose_request',
  /** The request is carried out, and its answer is lost. */
  'lose_answer',
  /** A failure that is stored with the key; nothing was done. */
  'fail',
  /** A failure that is stored with the key, although the request was carried out. */
  'fail_done',
  'busy',
  'in_use',
  /** The credentials are not accepted. Nothing was done, and nothing is stored with the key. */
  'locked_out',
  /** The request is carried out later. */
  'delay',
  /** The request is carried out at once and answered later, so its answer is outdated by then. */
  'delay_answer',
] as const
export type FaultKind = (typeof FAULT_KINDS)[number]

export interface Fault {
  readonly kind: FaultKind
  /** A part of `POST /v1/subscriptions`; every request by default. */
  readonly match?: string
  /** How many requests pass before the fault; none by default. */
  readonly after?: number
  /** How many requests the fault affects; one by default. */
  readonly times?: number
  readonly delayMs?: number
}

export class Faults {
  #open: { fault: Fault; passes: number; left: number }[] = []

  add(fault: Fault): void {
    this.#open.push({ fault, passes: fault.after ?? 0, left: fault.times ?? 1 })
  }

  clear(): void {
    this.#open = []
  }

  /** True when every fault has occurred as often as requested. */
  get isOver(): boolean {
    return this.#open.every(({ left }) => left === 0)
  }

  take(request: string): Fault | null {
    for (const each of this.#open) {
      if (each.fault.match !== undefined && !request.includes(each.fault.match)) continue
      if (each.passes > 0) {
        each.passes -= 1
        continue
      }
      if (each.left === 0) continue
      each.left -= 1
      return each.fault
    }
    return null
  }
}
