/** The money of a subscription from quote to clawback. Fails if a figure is not the expected one. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import {
  apply,
  balanceOf,
  cents,
  checkLedger,
  checkRedemption,
  clawback,
  clawbackCandidates,
  consume,
  formatCents,
  grant,
  grantPromotion,
  instant,
  ledgerRows,
  loadCatalogue,
  matchesDiscount,
  openLedger,
  openToken,
  parseDiscount,
  parseKeyRing,
  quote,
  renderSteps,
  sealToken,
} from '@plumbline/billing-core'
import { nodeCrypto } from '@plumbline/billing-core/node'

const now = instant('2026-03-15T12:00:00.000Z')
const account = { orgId: 'org_acme', subscriptionId: 'sub_1' }
const plan = /** @type {const} */ ({ planId: 'team', interval: 'monthly' })

/** The value of a result. Fails if the result is a refusal. */
function accepted(result) {
  assert.ok(result.ok, `refused: ${result.refusal?.message}`)
  return result.value
}

// 1. A deployment raises one price. Everything else has the list price.
const catalogue = accepted(loadCatalogue({ BILLING_BUNDLE_SEAT_PACK_MONTHLY: '3000' }))
const addons = [
  { bundleId: 'advanced_reporting', quantity: 1 },
  { bundleId: 'seat_pack', quantity: 2 },
  { bundleId: 'team_usage_analytics', quantity: 1 },
]
const price = quote(catalogue, { ...plan, addons })
for (const line of price.lines) console.log(line.label.padEnd(24), formatCents(line.cents).padStart(9))
assert.equal(price.totalCents, 14_900 + 3_000 + 6_000 + 3_000 - 2_150)
const why = renderSteps(price.packing.steps)
assert.match(why, /combo analytics_suite: shares a member with team_growth; \$18\.00 at most with it, \$21\.50 chosen/)
console.log(`\n${why}\n`)

// 2. An operator creates a discount and issues a token. The account redeems it.
const terms = accepted(parseDiscount('20:percent:onetime:spring'))
const discount = { ...terms, id: 'disc_spring', timesRedeemed: 0, maxRedemptions: 1, isActive: true }
const ring = accepted(parseKeyRing(`v1:${randomBytes(32).toString('base64')}`))
const token = accepted(sealToken(nodeCrypto, ring, discount, randomBytes(12)))
assert.ok(matchesDiscount(accepted(openToken(nodeCrypto, ring, token)), discount))
assert.equal(openToken(nodeCrypto, ring, `${token}A`).ok, false)

const context = {
  now,
  orgId: account.orgId,
  creditSupported: true,
  subscription: {
    status: /** @type {const} */ ('active'),
    tier: plan.planId,
    interval: plan.interval,
    planPriceCents: cents(14_900),
    currentPeriodStart: instant('2026-03-01T00:00:00.000Z'),
    hasRecurringDiscount: false,
  },
  hasRedeemed: false,
}
const redeemed = checkRedemption(discount, context)
assert.ok(redeemed.ok)
assert.equal(redeemed.value.cents, 2_980)
assert.equal(checkRedemption({ ...discount, timesRedeemed: 1 }, context).refusal.code, 'DISCOUNT_EXHAUSTED')

// 3. Both become credit in the ledger.
const opened = openLedger([])
assert.ok(opened.ok)
const ledger = opened.state
const commit = (result) => {
  const outcome = accepted(result)
  accepted(apply(ledger, outcome))
  console.log(renderSteps(outcome.steps))
  return outcome
}
const { dedupeKey, sourceId, cents: amount } = redeemed.value
commit(grant(ledger, { ...account, id: 'cr_1', sourceId, cents: amount, dedupeKey, at: now }))
assert.equal(
  grant(ledger, { ...account, id: 'cr_x', sourceId, cents: amount, dedupeKey, at: now }).refusal.code,
  'DUPLICATE_ENTRY',
)

const promotion = {
  id: 'welcome',
  unit: /** @type {const} */ ('dollar'),
  value: cents(1_000),
  kind: /** @type {const} */ ('onetime'),
  trigger: { type: /** @type {const} */ ('subscription_created') },
  budgetCents: cents(100_000),
  spentCents: cents(0),
  grantsCount: 0,
  isActive: true,
  createdAt: instant('2026-01-01T00:00:00.000Z'),
}
const welcomed = grantPromotion(ledger, {
  rowId: 'cr_2',
  promotion,
  account: {
    ...account,
    tier: plan.planId,
    interval: plan.interval,
    planPriceCents: cents(14_900),
    isFirstSubscription: true,
    isEntitled: true,
    subscriptionStartedAt: now,
  },
  cause: 'subscription_created',
  creditSupported: true,
  now,
})
assert.equal(welcomed.reason, 'granted')
accepted(apply(ledger, welcomed.outcome))
assert.equal(balanceOf(ledger, 'sub_1'), 3_980)

// 4. The next invoice uses the credit, oldest first. Then the account cancels within the clawback window.
commit(
  consume(ledger, {
    ...account,
    id: 'cr_3',
    sourceId: 'provider',
    cents: cents(3_100),
    dedupeKey: 'inv:in_1',
    at: now,
  }),
)
const [candidate] = clawbackCandidates(ledgerRows(ledger), 'sub_1', now)
assert.equal(candidate.dedupeKey, 'promo:welcome:org_acme')
const pulled = commit(clawback(ledger, { id: 'cr_4', grantKey: candidate.dedupeKey, at: now }))
assert.deepEqual([pulled.grantedCents, pulled.recoveredCents], [1_000, 880])
assert.equal(balanceOf(ledger, 'sub_1'), 0)

// 5. A replay from zero gives the stored ledger, and it finds an edited row.
const rows = ledgerRows(ledger)
assert.deepEqual(checkLedger(rows), [])
const edited = rows.map((row) => (row.id === 'cr_2' ? { ...row, reversedCents: cents(1_000) } : row))
assert.deepEqual(
  checkLedger(edited).map((finding) => [finding.code, finding.rowId]),
  [['reversed_differs', 'cr_2']],
)
console.log(`\n${rows.length} ledger rows, replayed from zero: sound`)
