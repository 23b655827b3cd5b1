/**
 * Reads the credit that the provider holds for an account. It is read outside any transaction, so it is returned with
 * the newest row that our ledger had before. After further rows it says nothing about the ledger, and an adjustment by
 * it would book credit that does not exist.
 */
import { eq } from 'drizzle-orm'
import type { Runtime } from '../../runtime/operation/context.js'
import type { Db } from '../../runtime/store/db.js'
import { billingTables } from '../tables.js'
import { providerOf } from './open.js'

export interface ProviderBalance {
  /** In US cents; a negative balance is credit. */
  readonly cents: number
  /** The newest row of our ledger before it was read. */
  readonly afterSeq: number
}

interface Reading {
  readonly runtime: Runtime
  read<T>(run: (db: Db) => Promise<T>): Promise<T>
}

/** @returns null while the provider does not know all of our rows. */
export async function readBalance(
  { runtime, read }: Reading,
  { subscriptionId, customerId }: { readonly subscriptionId: string; readonly customerId: string },
): Promise<ProviderBalance | null> {
  const [ledger] = await read((db) => {
    const { billingSubscriptions: t } = billingTables(db)
    return db.select({ lastSeq: t.lastSeq, pendingRows: t.pendingRows }).from(t).where(eq(t.id, subscriptionId))
  })
  if (ledger === undefined || ledger.pendingRows > 0) return null
  return { cents: await providerOf(runtime).readBalance(customerId), afterSeq: ledger.lastSeq }
}
