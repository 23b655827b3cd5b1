/** Small builders that tests and proofs share: catalogues, accounts, opened ledgers. */
import {
  apply,
  type Bundle,
  type Catalogue,
  type CatalogueDefinition,
  type Combo,
  cents,
  createCatalogue,
  type Discount,
  defaultDefinition,
  type Instant,
  instant,
  type LedgerOutcome,
  type LedgerState,
  openLedger,
  type Promotion,
  type PromotionAccount,
  percent,
  type Result,
} from '../../src/index.js'

export const NOW: Instant = instant('2026-03-15T12:00:00.000Z')

export function ok<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`refused: ${result.refusal.code} ${result.refusal.message}`)
  return result.value
}

export function emptyLedger(): LedgerState {
  const opened = openLedger([])
  if (!opened.ok) throw new Error('an empty ledger opens')
  return opened.state
}

/** Applies an outcome that must be one. */
export function perform<T extends LedgerOutcome>(state: LedgerState, result: Result<T>): T {
  const outcome = ok(result)
  ok(apply(state, outcome))
  return outcome
}

export function simpleBundle(id: string, monthly: number, more: Partial<Bundle> = {}): Bundle {
  return {
    id,
    name: id,
    grants: {},
    features: [],
    prices: { monthly: cents(monthly), annual: cents(monthly * 10) },
    tiers: ['developer', 'pro', 'team', 'enterprise'],
    stackable: true,
    max: 1_000,
    requires: [],
    sortOrder: 0,
    isActive: true,
    ...more,
  }
}

export function simpleCombo(id: string, members: readonly string[], monthly: number, more: Partial<Combo> = {}): Combo {
  return {
    id,
    name: id,
    members: members.map((bundleId) => ({ bundleId, minQuantity: 1 })),
    prices: { monthly: cents(monthly), annual: cents(monthly * 10) },
    sortOrder: 0,
    isActive: true,
    ...more,
  }
}

export function catalogueWith(parts: Partial<CatalogueDefinition>): Catalogue {
  return ok(createCatalogue({ ...defaultDefinition, combos: [], ...parts }))
}

export const discount: Discount = {
  id: 'disc_1',
  unit: 'percent',
  value: percent(20),
  kind: 'onetime',
  timesRedeemed: 0,
  isActive: true,
}

export const promotion: Promotion = {
  id: 'promo_1',
  unit: 'dollar',
  value: cents(1_000),
  kind: 'onetime',
  trigger: { type: 'subscription_created' },
  budgetCents: cents(10_000),
  isActive: true,
  createdAt: instant('2026-01-01T00:00:00.000Z'),
  spentCents: cents(0),
  grantsCount: 0,
}

export const account: PromotionAccount = {
  orgId: 'org_a',
  subscriptionId: 'sub_1',
  tier: 'pro',
  interval: 'monthly',
  planPriceCents: cents(4_900),
  isFirstSubscription: true,
  isEntitled: true,
  subscriptionStartedAt: NOW,
}
