/**
 * Credit of the coming period that exists before the period begins. A provider announces its invoice some days before
 * it draws it, and what the invoice uses of credit has to be there by then.
 *
 * The account may change until the period begins. LAW: after each change that takes back what is no longer earned, the
 * combos of the coming period have granted what its holding earns, or what was spent of them if that is more.
 */

import { ledgerKey } from '../ledger/keys.js'
import { sum } from '../money/arithmetic.js'
import { type Cents, cents } from '../money/cents.js'
import type { PeriodGrant } from './roll.js'

/** A grant of the coming period that the ledger has already. */
export interface AnnouncedGrant {
  readonly sourceId: string
  readonly dedupeKey: string
  /** What was granted less what was taken back. */
  readonly cents: Cents
  /** What of it is not spent. */
  readonly openCents: Cents
}

export interface AnnouncedPlan {
  /** What is still to be granted. */
  readonly grants: readonly PeriodGrant[]
  /** What the coming period no longer earns: to be taken back, before the grants are made. */
  readonly takenBack: readonly AnnouncedGrant[]
}

/**
 * Compares what the coming period earns with what was granted for it. A combo is granted up to its amount, and taken
 * back where it is no longer held. Discounts and promotions are granted once a period, and what they granted stays.
 *
 * @param takesBack False for a change that raises the price: its invoice may have used the credit already.
 */
export function planAnnounced(
  earned: readonly PeriodGrant[],
  announced: readonly AnnouncedGrant[],
  takesBack: boolean,
): AnnouncedPlan {
  const grants: PeriodGrant[] = []
  const takenBack: AnnouncedGrant[] = []
  for (const grant of earned) {
    const had = announced.filter(({ sourceId }) => sourceId === grant.sourceId)
    if (had.length > 0 && grant.source !== 'combo') continue
    const surplus = takesBack && total(had) > grant.cents ? open(had) : []
    takenBack.push(...surplus)
    const missing = grant.cents - total(had) + sum(surplus.map(({ openCents }) => openCents))
    if (missing > 0) grants.push({ ...grant, dedupeKey: unusedKey(grant.dedupeKey, had), cents: cents(missing) })
  }
  if (takesBack) {
    const isEarned = new Set(earned.map(({ sourceId }) => sourceId))
    takenBack.push(...open(announced.filter(({ sourceId }) => isCombo(sourceId) && !isEarned.has(sourceId))))
  }
  return { grants, takenBack }
}

const total = (of: readonly AnnouncedGrant[]): Cents => sum(of.map((each) => each.cents))
const open = (of: readonly AnnouncedGrant[]): AnnouncedGrant[] => of.filter(({ openCents }) => openCents > 0)
const isCombo = (sourceId: string): boolean => sourceId.startsWith('combo:')

/** The key of a grant stays taken when the grant is taken back. */
const unusedKey = (key: string, had: readonly AnnouncedGrant[]): string =>
  had.some(({ dedupeKey }) => dedupeKey === key) ? ledgerKey.again(key, had.length) : key
