/**
 * What is known of accounts that buy at a marketplace: their purchases, the hours of usage that were reported for them,
 * and the credit that is held while an hour is being reported.
 */
import type { MeteringPlan, MeteringRecord, RefusedRecord } from '@plumbline/billing-core'
import { tableSet, tenant } from '../runtime/store/table-set.js'

/** One entitlement, as the marketplace reported it. */
export interface ToldEntitlement {
  readonly dimension: string
  readonly value: number | boolean | string | null
  readonly expiresAt: string | null
}

export const marketplaceTables = tableSet(
  'billing',
  (k) => {
    const billingMarketplaceCustomers = k.table(
      'billing_marketplace_customers',
      {
        id: k.text('id').primaryKey(),
        orgId: k.text('org_id').notNull(),
        /** Null before the first subscription, and while there is none. */
        subscriptionId: k.text('subscription_id'),
        productCode: k.text('product_code').notNull(),
        /** The licence, or else product and customer identifier. */
        customerKey: k.text('customer_key').notNull(),
        customerIdentifier: k.text('customer_identifier'),
        licenseArn: k.text('license_arn'),
        /** The buyer's account at the cloud provider; sealed. */
        buyerAccount: k.text('buyer_account'),
        entitlements: k.json<readonly ToldEntitlement[]>('entitlements').notNull(),
        entitlementsAtMs: k.epochMs('entitlements_at_ms').notNull(),
        /** When the newest accepted notice was sent. */
        noticeAtMs: k.epochMs('notice_at_ms').notNull(),
        /** Digest of the token with which a person becomes the owner; null once it is used. */
        claimHash: k.text('claim_hash'),
        claimExpiresAtMs: k.epochMs('claim_expires_at_ms'),
        claimedAtMs: k.epochMs('claimed_at_ms'),
        /** When a report of usage was answered with "not subscribed"; null once the entitlements were read again. */
        notSubscribedAtMs: k.epochMs('not_subscribed_at_ms'),
        /** The first hour that is not frozen yet. */
        meteredFromMs: k.epochMs('metered_from_ms').notNull(),
        createdAtMs: k.epochMs('created_at_ms').notNull(),
        updatedAtMs: k.epochMs('updated_at_ms').notNull(),
      },
      (t) => [
        k.uniqueIndex('billing_marketplace_customers_key').on(t.customerKey),
        k.uniqueIndex('billing_marketplace_customers_claim').on(t.claimHash),
        k.uniqueIndex('billing_marketplace_customers_subscription').on(t.subscriptionId),
        k.index('billing_marketplace_customers_org').on(t.orgId, t.id),
      ],
    )
    /** One hour of one purchase. It is frozen when it is opened. */
    const billingMeteringHours = k.table(
      'billing_metering_hours',
      {
        id: k.text('id').primaryKey(),
        orgId: k.text('org_id').notNull(),
        subscriptionId: k.text('subscription_id').notNull(),
        customerId: k.text('customer_id').notNull(),
        /** `2026-01-31T07`. */
        hour: k.text('hour').notNull(),
        /** The billing period in which it counts. */
        periodStartMs: k.epochMs('period_start_ms').notNull(),
        plan: k.json<MeteringPlan>('plan').notNull(),
        outstanding: k.json<readonly MeteringRecord[]>('outstanding').notNull(),
        refused: k.json<readonly RefusedRecord[]>('refused').notNull(),
        status: k.text('status').notNull(),
        attempts: k.count('attempts').notNull(),
        createdAtMs: k.epochMs('created_at_ms').notNull(),
        endedAtMs: k.epochMs('ended_at_ms'),
      },
      (t) => [
        // An hour that is reported twice for a customer would be billed twice.
        k.uniqueIndex('billing_metering_hours_once').on(t.customerId, t.hour),
        k.index('billing_metering_hours_open').on(t.hour, t.id).where(k.sql`status = 'open'`),
        k.index('billing_metering_hours_period').on(t.customerId, t.periodStartMs),
        k.index('billing_metering_hours_org').on(t.orgId, t.id),
        k.index('billing_metering_hours_ended').on(t.endedAtMs),
      ],
    )
    /** Credit that no other drain may use until the hour has ended. */
    const billingCreditHolds = k.table(
      'billing_credit_holds',
      {
        id: k.text('id').primaryKey(),
        orgId: k.text('org_id').notNull(),
        subscriptionId: k.text('subscription_id').notNull(),
        key: k.text('key').notNull(),
        cents: k.large('cents').notNull(),
        createdAtMs: k.epochMs('created_at_ms').notNull(),
      },
      (t) => [
        k.uniqueIndex('billing_credit_holds_key').on(t.orgId, t.key),
        k.index('billing_credit_holds_org').on(t.orgId, t.id),
      ],
    )
    return { billingMarketplaceCustomers, billingMeteringHours, billingCreditHolds }
  },
  {
    billingMarketplaceCustomers: tenant(),
    billingMeteringHours: tenant(),
    billingCreditHolds: tenant(),
  },
)

type Tables = ReturnType<typeof marketplaceTables>
export type PurchaseRow = Tables['billingMarketplaceCustomers']['$inferSelect']
export type HourRow = Tables['billingMeteringHours']['$inferSelect']
