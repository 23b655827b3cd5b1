/**
 * One budget, many accounts: grants and clawbacks in random order. The ledgers say what was really granted; a budget
 * or grant cap is never exceeded, and a refusal for the budget is never wrong.
 */
import {
  apply,
  type Cents,
  cents,
  clawback,
  grantPromotion,
  instant,
  type LedgerState,
  ledgerRows,
  openLedger,
  type Promotion,
  percent,
  releaseGrant,
  spendOf,
} from '../src/index.js'
import { must, Random } from './random.js'

const NOW = instant('2026-03-15T12:00:00.000Z')

export function provePromotions(campaigns: number, seed: number): number {
  const random = new Random(seed)
  let operations = 0
  for (let index = 0; index < campaigns; index++) operations += runCampaign(random)
  return operations
}

function runCampaign(random: Random): number {
  const ledgers = Array.from({ length: random.whole(1, 14) }, newLedger)
  const usesPercent = random.chance(0.5)
  let promotion: Promotion = {
    id: 'spring',
    ...(usesPercent
      ? { unit: 'percent' as const, value: percent(random.whole(1, 100)) }
      : { unit: 'dollar' as const, value: cents(random.whole(1, 900)) }),
    kind: 'onetime',
    trigger: { type: 'subscription_created' },
    budgetCents: cents(random.whole(1, 4_000)),
    ...(random.chance(0.4) ? { perOrgCapCents: cents(random.whole(1, 500)) } : {}),
    ...(random.chance(0.4) ? { maxGrants: random.whole(1, 6) } : {}),
    isActive: true,
    createdAt: NOW,
    spentCents: cents(0),
    grantsCount: 0,
  }
  const prices = ledgers.map(() => cents(random.whole(0, 2_000)))
  const steps = random.whole(5, 40)
  for (let step = 0; step < steps; step++) {
    const at = random.whole(0, ledgers.length - 1)
    const ledger = ledgers[at] as LedgerState
    promotion = random.chance(0.8)
      ? grantTo(promotion, ledger, at, prices[at] as Cents)
      : takeFrom(promotion, ledger, at)
    const spend = spendOf(promotion, ledgers.flatMap(ledgerRows))
    must(spend.committedCents <= promotion.budgetCents, () => 'the budget was exceeded')
    must(spend.driftCents === 0, () => `the counter drifts by ${spend.driftCents}`)
    must(spend.committedGrants === promotion.grantsCount, () => 'the grant count drifts')
    must(promotion.grantsCount <= (promotion.maxGrants ?? Number.POSITIVE_INFINITY), () => 'too many grants')
  }
  return steps
}

function grantTo(promotion: Promotion, ledger: LedgerState, at: number, planPriceCents: Cents): Promotion {
  const result = grantPromotion(ledger, {
    rowId: `cr_${ledgerRows(ledger).length + 1}`,
    promotion,
    account: {
      orgId: `org_${at}`,
      subscriptionId: `sub_${at}`,
      tier: 'pro',
      interval: 'monthly',
      planPriceCents,
      isFirstSubscription: true,
      isEntitled: true,
      subscriptionStartedAt: NOW,
    },
    cause: 'subscription_created',
    creditSupported: true,
    now: NOW,
  })
  if (result.outcome !== null) must(apply(ledger, result.outcome).ok, () => 'a grant does not apply')
  if (result.reason === 'budget_exhausted') {
    const over = BigInt(promotion.spentCents) + BigInt(result.cents ?? 0) > BigInt(promotion.budgetCents)
    const full = promotion.maxGrants !== undefined && promotion.grantsCount >= promotion.maxGrants
    must(over || full, () => 'a grant that fits was refused')
  }
  return result.promotion
}

function takeFrom(promotion: Promotion, ledger: LedgerState, at: number): Promotion {
  const grantKey = `promo:${promotion.id}:org_${at}`
  const result = clawback(ledger, { id: `cr_${ledgerRows(ledger).length + 1}`, grantKey, at: NOW })
  if (!result.ok) return promotion
  must(apply(ledger, result.value).ok, () => 'a clawback does not apply')
  return releaseGrant(promotion, result.value.recoveredCents, result.value.isWhole)
}

function newLedger(): LedgerState {
  const opened = openLedger([])
  if (!opened.ok) throw new Error('an empty ledger opens')
  return opened.state
}
