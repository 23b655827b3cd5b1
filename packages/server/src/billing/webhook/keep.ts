/** A failure is returned to the sender and stored: the job retries even if the sender does not. */
import type { SettleContext } from '../../runtime/operation/context.js'
import type { SubscriptionAction } from '../account/writing.js'
import { settlingOf } from '../call/settle.js'
import type { DeliveryRow } from '../provider-tables.js'
import { failDelivery } from './delivery.js'
import { handleDelivery } from './handle.js'

/**
 * @returns A word for what was done.
 * @throws The error that prevented it.
 */
export async function handleOrKeep(context: SettleContext<SubscriptionAction>, row: DeliveryRow): Promise<string> {
  const settling = settlingOf(context)
  try {
    return (await handleDelivery(settling, row)).effect
  } catch (error) {
    context.runtime.log?.write('billing.delivery_failed', { error, event: row.eventId })
    await settling.write((writing) => failDelivery(writing, row, error))
    throw error
  }
}
