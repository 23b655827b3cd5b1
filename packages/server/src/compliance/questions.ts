/**
 * Questions about the whole inventory, such as the impact of a rule, take as long as there are records. So few of them are answered
 * at once, in the process and for an account, that checks and scans beside them go on; anyone who asks beyond that is told when to
 * ask again, and nothing waits here.
 */
import { Refusal } from '../runtime/errors.js'

/** Of one account, its teams included: nobody takes every place of the process. */
export const OF_ACCOUNT_MAX = 2
export const OF_PROCESS_MAX = 4
const RETRY_AFTER = { headers: { 'Retry-After': '5' } }

export interface Questions {
  /** @throws Refusal 429 while the account has its share under way, 503 while the process has. */
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
        const message = `${own} questions about the whole inventory are under way for the organization: wait for one`
        throw new Refusal('RATE_LIMIT_EXCEEDED', message, RETRY_AFTER)
      }
      // guard: few-questions-of-a-process-about-whole-inventories-at-once
      if (all >= OF_PROCESS_MAX) {
        const message = 'too many questions about whole inventories are under way: try again'
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
