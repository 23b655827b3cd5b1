/** How the provider misbehaves on request. */

export const FAULT_KINDS = [
  /** Nothing arrives. */
  'lose_request',
  /** It is done, and nobody is told. */
  'lose_answer',
  /** A failure that is kept under the key; nothing was done. */
  'fail',
  /** A failure that is kept under the key; it was done. */
  'fail_done',
  'busy',
  'in_use',
  'delay',
] as const
export type FaultKind = (typeof FAULT_KINDS)[number]

export interface Fault {
  readonly kind: FaultKind
  /** Part of `POST /v1/subscriptions`; every request unless said. */
  readonly match?: string
  /** How many requests pass before it; none unless said. */
  readonly after?: number
  /** How many requests it hits; one unless said. */
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
