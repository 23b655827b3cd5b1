/** The Idempotency-Key of what a person wants to do, so that a repetition after a lost connection does it once. */
import { ApiError } from '@plumbline/client'

/** After these the server may still be at work on the change, or has not begun with it. */
const UNDECIDED: readonly number[] = [401, 409, 429]

/** The server has decided. It stores such a refusal with the key, and would give it again. */
const isDefinite = (error: Error) =>
  error instanceof ApiError && error.status < 500 && !UNDECIDED.includes(error.status)

export function createIntention() {
  let of = ''
  let key = ''
  const end = () => {
    of = ''
    key = ''
  }
  return {
    /** The key of this input: the same until its intention ends. Files are not compared, so each try has its own key. */
    keyOf(input: unknown): string {
      const next = input instanceof FormData ? '' : JSON.stringify(input ?? null)
      if (of !== next || next === '') {
        of = next
        key = crypto.randomUUID()
      }
      return key
    },
    /** A definite refusal ends the intention. The next try is a new one, even with the same input. */
    refused(error: Error): void {
      if (isDefinite(error)) end()
    },
    end,
  }
}
