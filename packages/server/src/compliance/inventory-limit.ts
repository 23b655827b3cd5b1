/**
 * Limits requests over the whole inventory, such as the impact of a rule, whose duration grows with the number of
 * records. Only a few run at once, per process and per account, so that checks and scans continue meanwhile. A request
 * beyond the limit is refused with a Retry-After header; nothing is queued.
 */
import { Refusal } from '../runtime/errors.js'

/** For one account with its teams, so that no account takes every slot of the process. */
export const OF_ACCOUNT_MAX = 2
export const OF_PROCESS_MAX = 4
const RETRY_AFTER = { headers: { 'Retry-After': '5' } }

export interface Questions {
  /** @throws Refusal 429 when the account is at its limit, 503 when the process is. */
  ask<T>(accountId: string, answer: () => Promise<T>): Promise<T>
}

export function createQuestions(): Questions {
  const underWay = new Map<string, number>()
  let all = 0
  return {
    async ask(accountId, answer) {
      const own = underWay.get(accountId) ?? 0
      // guard: few-questions-of-an-account-about-the-whole-inventory-at-once
      if (own >= OF_ACCOUNT_MAX) {
        const message = `${own} requests over the whole inventory are running for the organization: wait for one`
        throw new Refusal('RATE_LIMIT_EXCEEDED', message, RETRY_AFTER)
      }
      // guard: few-questions-of-a-process-about-whole-inventories-at-once
      if (all >= OF_PROCESS_MAX) {
        const message = 'too many requests over whole inventories are running: try again'
        throw new Refusal('SERVICE_UNAVAILABLE', message, RETRY_AFTER)
      }
      underWay.set(accountId, own + 1)
      all += 1
      try {
        return await answer()
      } finally {
        all -= 1
        const left = (underWay.get(accountId) ?? 1) - 1
        if (left === 0) underWay.delete(accountId)
        else underWay.set(accountId, left)
      }
    },
  }
}
