/**
 * The sources of credit: discounts and their redemptions, promotions and their spend, referrals.
 *
 * INVARIANT: a counter changes by one conditional UPDATE, in the transaction that writes the ledger row.
 */
import { global, tableSet, tenant } from '../runtime/store/table-set.js'

const OPERATORS = 'made by operators for accounts to come'

export const creditTables = tableSet(
  'billing',
  (k) => {
    const billingDiscounts = k.table(
      'billing_discounts',
      {
        id: k.text('id').primaryKey(),
        value: k.large('value').notNull(),
        unit: k.text('unit').notNull(),
        kind: k.text('kind').notNull(),
        campaign: k.text('campaign'),
        /**
         * In capitals, so that it is found case-insensitively. Anyone who knows it can redeem it, so it is never
         * logged.
         */
        alias: k.text('alias'),
        targetOrgId: k.text('target_org_id'),
        maxRedemptions: k.count('max_redemptions'),
        timesRedeemed: k.count('times_redeemed').notNull(),
        redeemByMs: k.epochMs('redeem_by_ms'),
        appliesToTiers: k.json<readonly string[]>('applies_to_tiers'),
        isActive: k.bool('is_active').notNull(),
        /** Only for accounts with a test clock. */
        sandbox: k.bool('sandbox').notNull(),
        createdBy: k.text('created_by'),
        createdAtMs: k.epochMs('created_at_ms').notNull(),
        updatedAtMs: k.epochMs('updated_at_ms').notNull(),
      },
      (t) => [
        k.uniqueIndex('billing_discounts_alias').on(t.alias),
        k.index('billing_discounts_time').on(t.createdAtMs, t.id),
        k.index('billing_discounts_creator').on(t.createdBy),
      ],
    )
    /** An account can redeem a discount only once. */
    const billingRedemptions = k.table(
      'billing_redemptions',
      {
        id: k.text('id').primaryKey(),
        discountId: k.text('discount_id').notNull(),
        orgId: k.text('org_id').notNull(),
        subscriptionId: k.text('subscription_id').notNull(),
        createdAtMs: k.epochMs('created_at_ms').notNull(),
      },
      (t) => [
        k.uniqueIndex('billing_redemptions_once').on(t.discountId, t.orgId),
        k.index('billing_redemptions_org').on(t.orgId, t.id),
      ],
    )
    const billingPromotions = k.table(
      'billing_promotions',
      {
        id: k.text('id').primaryKey(),
        name: k.text('name').notNull(),
        campaign: k.text('campaign'),
        triggerType: k.text('trigger_type').notNull(),
        conditions: k.json<PromotionConditionsRow>('conditions').notNull(),
        value: k.large('value').notNull(),
        unit: k.text('unit').notNull(),
        kind: k.text('kind').notNull(),
        referrerValue: k.large('referrer_value'),
        startsAtMs: k.epochMs('starts_at_ms'),
        endsAtMs: k.epochMs('ends_at_ms'),
        budgetCents: k.large('budget_cents').notNull(),
        spentCents: k.large('spent_cents').notNull(),
        grantsCount: k.large('grants_count').notNull(),
        perOrgCapCents: k.large('per_org_cap_cents'),
        maxGrants: k.large('max_grants'),
        isActive: k.bool('is_active').notNull(),
        activatedAtMs: k.epochMs('activated_at_ms'),
        /** Accounts that the newest walk over all accounts could not work on. The next one tries them again. */
        failedAccounts: k.large('failed_accounts').notNull(),
        sandbox: k.bool('sandbox').notNull(),
        createdBy: k.text('created_by'),
        createdAtMs: k.epochMs('created_at_ms').notNull(),
        updatedAtMs: k.epochMs('updated_at_ms').notNull(),
      },
      (t) => [
        k.index('billing_promotions_time').on(t.createdAtMs, t.id),
        k.index('billing_promotions_creator').on(t.createdBy),
      ],
    )
    /** What was granted to accounts that were purged since, so that a promotion's spend does not decrease. */
    const billingPromotionClosed = k.table('billing_promotion_closed', {
      promotionId: k.text('promotion_id').primaryKey(),
      spentCents: k.large('spent_cents').notNull(),
      grantsCount: k.large('grants_count').notNull(),
    })
    /** An account can be referred only once. */
    const billingReferrals = k.table(
      'billing_referrals',
      {
        id: k.text('id').primaryKey(),
        promotionId: k.text('promotion_id').notNull(),
        referrerOrgId: k.text('referrer_org_id').notNull(),
        refereeOrgId: k.text('referee_org_id').notNull(),
        refereeGrantCents: k.large('referee_grant_cents').notNull(),
        referrerGrantCents: k.large('referrer_grant_cents').notNull(),
        status: k.text('status').notNull(),
        /** The referee's first payment; null until then. The referrer's credit waits for it. */
        paidCents: k.large('paid_cents'),
        qualifiedAtMs: k.epochMs('qualified_at_ms'),
        createdAtMs: k.epochMs('created_at_ms').notNull(),
      },
      (t) => [
        k.uniqueIndex('billing_referrals_referee').on(t.refereeOrgId),
        k.index('billing_referrals_due').on(t.status, t.id),
        k.index('billing_referrals_referrer').on(t.referrerOrgId, t.id),
      ],
    )
    return { billingDiscounts, billingRedemptions, billingPromotions, billingPromotionClosed, billingReferrals }
  },
  {
    billingDiscounts: global(OPERATORS),
    billingRedemptions: tenant(),
    billingPromotions: global(OPERATORS),
    billingPromotionClosed: global('sums over accounts that are gone'),
    billingReferrals: tenant('referee_org_id'),
  },
)

export interface PromotionConditionsRow {
  readonly tiers?: readonly string[]
  readonly intervals?: readonly string[]
  readonly firstSubscriptionOnly?: boolean
}

type Tables = ReturnType<typeof creditTables>
export type DiscountRow = Tables['billingDiscounts']['$inferSelect']
export type PromotionRow = Tables['billingPromotions']['$inferSelect']
export type ReferralRow = Tables['billingReferrals']['$inferSelect']
