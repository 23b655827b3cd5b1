/**
 * Limits password hashing: a few hashes run at once, a short queue waits with fair turns, and the rest get 503. Each
 * hash takes 32 MiB and a thread; without the limit, a burst of sign-ins would starve everything else.
 */
import { Refusal } from '../../runtime/errors.js'
import { hashPassword, isOutdated, type ScryptCost, verifyPassword } from './password-hash.js'
import { createTurns, type Turn } from './turns.js'

export interface PasswordSettings {
  readonly cost: ScryptCost
  /** The number of hashes that run at once, and the number that may wait. */
  readonly atOnce: number
  readonly waitingMax: number
}

export const PASSWORDS_AT_ONCE = 2
export const PASSWORDS_WAITING_MAX = 64

export interface Passwords {
  /** @param turn whose turn it is: the queue is fair between networks. */
  hash(password: string, turn?: Turn): Promise<string>
  /**
   * Computes one hash for every `stored`. Without an account (null) it uses a stand-in, so that the response time does
   * not reveal which accounts exist.
   */
  verify(password: string, stored: string | null, turn?: Turn): Promise<boolean>
  /** True when the hash should be replaced by one of the current cost. */
  isOutdated(stored: string): boolean
  /** Hashes computed since the start. */
  readonly counts: { readonly hashed: number; readonly refused: number }
}

const tooMany = (): Refusal =>
  new Refusal('SERVICE_UNAVAILABLE', 'too many sign-ins at once; try again', { headers: { 'Retry-After': '2' } })

export function createPasswords({ cost, atOnce, waitingMax }: PasswordSettings): Passwords {
  const counts = { hashed: 0, refused: 0 }
  const turns = createTurns(waitingMax)
  let running = 0

  async function gated<T>(turn: Turn, run: () => Promise<T>): Promise<T> {
    if (running >= atOnce) {
      // A finished task passes its slot on, so `running` does not change.
      await new Promise<void>((resolve, reject) => {
        const giveUp = () => {
          counts.refused += 1
          reject(tooMany())
        }
        if (!turns.add(turn, { start: resolve, giveUp })) giveUp()
      })
    } else {
      running += 1
    }
    counts.hashed += 1
    try {
      return await run()
    } finally {
      const next = turns.next()
      if (next === undefined) running -= 1
      else next.start()
    }
  }

  // A constant with the right parameters: no known password matches it, and starting the server computes no hash.
  const standIn = `$scrypt$ln=${cost.log2N},r=${cost.r},p=${cost.p}$${'A'.repeat(22)}$${'A'.repeat(43)}`
  return {
    counts,
    hash: (password, turn = {}) => gated(turn, () => hashPassword(password, cost)),
    async verify(password, stored, turn = {}) {
      const isRight = await gated(turn, () => verifyPassword(password, stored ?? standIn))
      return isRight && stored !== null
    },
    isOutdated: (stored) => isOutdated(stored, cost),
  }
}
