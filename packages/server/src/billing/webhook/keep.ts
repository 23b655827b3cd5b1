/** A failure is told, and kept: the job tries again even if the sender does not. */
import type { SettleContext } from '../../runtime/operation/context.js'
import type { SubscriptionAction } from '../account/writing.js'
import { settlingOf } from '../call/settle.js'
import type { DeliveryRow } from '../provider-tables.js'
import { failDelivery } from './delivery.js'
import { handleDelivery } from './handle.js'

/** @returns in a word what was done. @throws what kept it from being done */
export async function handleOrKeep(context: SettleContext<SubscriptionAction>, row: DeliveryRow): Promise<string> {
  const settling = settlingOf(context)
  try {
    return await handleDelivery(settling, row)
  } catch (error) {
    context.runtime.log?.write('billing.delivery_failed', { error, event: row.eventId })
    await settling.write((writing) => failDelivery(writing, row, error))
    throw error
  }
}
