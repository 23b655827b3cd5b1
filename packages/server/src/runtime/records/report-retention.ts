/** How long an account keeps its events and facts, as other domains may set it. */
import { port } from '../port.js'
import type { Db, Tx } from '../store/db.js'

/** Days; −1 keeps everything. */
export interface RetentionDays {
  readonly eventDays: number
  readonly factDays: number
}

export interface BoughtRetention extends RetentionDays {
  /** True when add-ons extend it beyond the tier. */
  readonly isExtended: boolean
}

export interface ReportRetentionPort {
  /**
   * Applies what an account bought to it and its teams: a longer time at once, a shorter one after a week. The days of
   * the settings are the least. The caller holds the account's lock.
   */
  follow(tx: Tx, rootOrgId: string, bought: BoughtRetention): Promise<void>
  /** What `follow` would store, and what is stored. Both without the week before a shorter time applies. */
  compare(
    db: Db,
    rootOrgId: string,
    bought: BoughtRetention,
  ): Promise<{ readonly expected: RetentionDays; readonly inForce: RetentionDays }>
}

export const reportRetentionPort = port<ReportRetentionPort>('report-retention')
