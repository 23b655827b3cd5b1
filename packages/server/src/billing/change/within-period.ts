/** The instant of a change within the period that is paid. */
import type { SubscriptionRow } from '../tables.js'

/**
 * When a provider decides when periods begin and end, its clock may be ahead of ours, and a renewal may not have
 * arrived yet.
 */
// guard: a-change-is-prorated-within-its-period
export const withinPeriod = ({ currentPeriodStartMs, currentPeriodEndMs }: SubscriptionRow, ms: number): number =>
  Math.min(Math.max(ms, currentPeriodStartMs), currentPeriodEndMs)

/** The same for a provider, which counts in whole seconds. */
export const secondWithinPeriod = (row: SubscriptionRow, ms: number): number =>
  Math.floor(withinPeriod(row, ms) / 1000) * 1000
