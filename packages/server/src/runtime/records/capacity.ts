/**
 * Places of an account. Capacity types (plugins, pipelines, stored bytes, …) are live counts of rows: there is no counter that could leak, and
 * nothing is reserved. A change looks at the headroom before its work, and counts again in its own transaction, with the
 * account's row locked; that count decides. Source: platform decisions 12; rulings, Quotas and checks.
 */
import type { QuotaType } from '@plumbline/billing-core'
import type { Db, Tx } from '../store/db.js'

/** Live rows or bytes of these organizations together. Indexed: it runs in every creating transaction that has a limit. */
export type CountUsage = (db: Db, orgIds: readonly string[]) => Promise<number>

export interface CapacityPort {
  /**
   * A read-only look, so that a full account hears it before its upload is worked on.
   * @param amount places wanted.
   * @throws Refusal 429 `QUOTA_EXCEEDED`.
   */
  checkHeadroom(db: Db, orgId: string, type: QuotaType, amount: number): Promise<void>
  /**
   * Locks the root account's row and counts over the account's organizations. Called before the insert, in its transaction;
   * the operation runs with `acrossOrganizations`, because the account's other teams are counted.
   * @throws Refusal 429 `QUOTA_EXCEEDED`; the transaction is rolled back by it.
   */
  take(tx: Tx, orgId: string, type: QuotaType, amount: number): Promise<void>
}
