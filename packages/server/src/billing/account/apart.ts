/** A job that walks accounts does each on its own. */
import type { Runtime } from '../../runtime/operation/context.js'

/**
 * Runs the part of a job that is about one account. A failure is logged and does not stop the other accounts; the next
 * round tries the account again.
 *
 * @returns False when it failed.
 */
export async function apart(
  { log }: Pick<Runtime, 'log'>,
  orgId: string,
  run: () => Promise<unknown>,
): Promise<boolean> {
  try {
    await run()
    return true
  } catch (error) {
    log?.write('billing.account_failed', { error, org: orgId })
    return false
  }
}
