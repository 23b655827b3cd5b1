/** How many requests of each raw command this process handles at the moment. */
import { Refusal } from '../errors.js'

export interface RawSlots {
  /**
   * Takes a slot and returns the function that frees it.
   *
   * @param key the operation, or what it handles for one sender.
   * @throws Refusal 503 when no slot is free.
   */
  take(key: string, max: number): () => void
}

export function rawSlots(): RawSlots {
  const open = new Map<string, number>()
  return {
    take(key, max) {
      const taken = open.get(key) ?? 0
      // guard: raw-requests-at-once-are-counted
      if (taken >= max) {
        throw new Refusal('SERVICE_UNAVAILABLE', `${max} such requests are running: send it again in 1 s`, {
          headers: { 'retry-after': '1' },
        })
      }
      open.set(key, taken + 1)
      return () => {
        const left = (open.get(key) ?? 1) - 1
        // Keys of senders come from requests, so that an unused one is not kept.
        if (left === 0) open.delete(key)
        else open.set(key, left)
      }
    },
  }
}
