/**
 * The gate before password hashing: a few at a time, a short queue, then 503. Each hash takes 32 MiB and a thread; without
 * the gate a burst of sign-ins would take the memory and the threads of everything else.
 */
import { Refusal } from '../../runtime/errors.js'
import { hashPassword, isOutdated, type ScryptCost, verifyPassword } from './password-hash.js'

export interface PasswordSettings {
  readonly cost: ScryptCost
  /** How many are hashed at once, and how many may wait. */
  readonly atOnce: number
  readonly waitingMax: number
}

export const PASSWORDS_AT_ONCE = 2
export const PASSWORDS_WAITING_MAX = 32

export interface Passwords {
  hash(password: string): Promise<string>
  /**
   * One hash is computed whatever `stored` is: for nobody's account (null) a stand-in's, so that the time of the answer
   * does not tell who exists.
   */
  verify(password: string, stored: string | null): Promise<boolean>
  /** True when the hash should be replaced by one of the present cost. */
  isOutdated(stored: string): boolean
  /** Hashes computed since the start. */
  readonly counts: { readonly hashed: number; readonly refused: number }
}

export function createPasswords({ cost, atOnce, waitingMax }: PasswordSettings): Passwords {
  const counts = { hashed: 0, refused: 0 }
  const waiting: (() => void)[] = []
  let running = 0

  async function gated<T>(run: () => Promise<T>): Promise<T> {
    if (running >= atOnce) {
      if (waiting.length >= waitingMax) {
        counts.refused += 1
        throw new Refusal('SERVICE_UNAVAILABLE', 'too many sign-ins at once; try again', {
          headers: { 'Retry-After': '2' },
        })
      }
      // Whoever finishes hands its place over, so `running` does not change.
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else {
      running += 1
    }
    counts.hashed += 1
    try {
      return await run()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }

  // Made of the right parameters by hand: nobody knows a password for it, and starting computes no hash.
  const standIn = `$scrypt$ln=${cost.log2N},r=${cost.r},p=${cost.p}$${'A'.repeat(22)}$${'A'.repeat(43)}`
  return {
    counts,
    hash: (password) => gated(() => hashPassword(password, cost)),
    async verify(password, stored) {
      const isRight = await gated(() => verifyPassword(password, stored ?? standIn))
      return isRight && stored !== null
    },
    isOutdated: (stored) => isOutdated(stored, cost),
  }
}
