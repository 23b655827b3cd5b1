/** A delivery that cannot be trusted: its sender does not show the answer to anybody, so the log tells the operator. */
import { Refusal } from '../../runtime/errors.js'
import type { Runtime } from '../../runtime/operation/context.js'
import { requireBilling } from '../account/gate.js'
import type { Told } from './delivery.js'

/**
 * For what a provider, or the browser of its customer, sends. 400 and not 409, because it counts as a refused request
 * of its address.
 *
 * @throws Refusal 400 where another provider charges, 503 while billing is off.
 */
export function requireSender(runtime: Pick<Runtime, 'settings'>, sender: Told['source']): void {
  requireBilling(runtime)
  const { BILLING_PROVIDER: provider } = runtime.settings
  if (provider === sender) return
  throw new Refusal(
    'VALIDATION_ERROR',
    `this address is for BILLING_PROVIDER=${sender}, and BILLING_PROVIDER of this server is \`${provider}\`: its operator sets the one through which it sells`,
    { details: { provider } },
  )
}

/** Runs the checks of a delivery. Of one that is not signed as it must be, nothing but the reason is logged. */
export async function tellRefused<T>(
  runtime: Pick<Runtime, 'log'>,
  source: Told['source'],
  check: () => T | Promise<T>,
): Promise<T> {
  try {
    return await check()
  } catch (error) {
    if (error instanceof Refusal && error.code === 'INVALID_SIGNATURE') {
      const { field = null } = (error.details ?? {}) as { field?: string }
      runtime.log?.write('billing.delivery_refused', { source, field, reason: error.message })
    }
    throw error
  }
}
