/** How many requests of each raw command this process has in hand. */
import { Refusal } from '../errors.js'

export interface RawSlots {
  /** Takes a place, and answers what frees it. @throws Refusal 503 when none is left. */
  take(operation: string, max: number): () => void
}

export function rawSlots(): RawSlots {
  const open = new Map<string, number>()
  return {
    take(operation, max) {
      const taken = open.get(operation) ?? 0
      // guard: raw-requests-at-once-are-counted
      if (taken >= max) {
        throw new Refusal('SERVICE_UNAVAILABLE', `${max} such requests are in hand: send it again in 1 s`, {
          headers: { 'retry-after': '1' },
        })
      }
      open.set(operation, taken + 1)
      return () => void open.set(operation, (open.get(operation) ?? 1) - 1)
    },
  }
}
