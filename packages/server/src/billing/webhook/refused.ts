/** A delivery that cannot be trusted: its sender does not show the answer to anybody, so the log tells the operator. */
import { Refusal } from '../../runtime/errors.js'
import type { Runtime } from '../../runtime/operation/context.js'
import type { Told } from './delivery.js'

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
