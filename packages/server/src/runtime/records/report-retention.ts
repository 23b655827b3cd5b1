/** How long an account keeps its events and facts, as other domains may set it. */
import { port } from '../port.js'
import type { Tx } from '../store/db.js'

export interface BoughtRetention {
  /** Days; −1 keeps everything. */
  readonly eventDays: number
  readonly factDays: number
  /** True when add-ons extend it beyond the tier. */
  readonly isExtended: boolean
}

export interface ReportRetentionPort {
  /**
   * Applies what an account bought to it and its teams: a longer time at once, a shorter one after a week. The days of
   * the settings are the least. The caller holds the account's lock.
   */
  follow(tx: Tx, rootOrgId: string, bought: BoughtRetention): Promise<void>
}

export const reportRetentionPort = port<ReportRetentionPort>('report-retention')
