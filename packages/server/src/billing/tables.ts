/**
 * Who pays, for what, with which credit, and what was invoiced. Every row names the account's root organization.
 *
 * INVARIANT: each writer holds the lock of the root's row, so the changes of one account run one after another.
 */
import type { Addon, LedgerRow, PaymentFailure, Reversal, StandingRule } from '@plumbline/billing-core'
import { tableSet, tenant } from '../runtime/store/table-set.js'
import { invoiceColumns } from './invoice-line.js'

/** The change that takes effect with the next period. */
export interface PendingChange {
  readonly planId: string
  readonly interval: string
  readonly addons: readonly Addon[]
}

export const billingTables = tableSet(
  'billing',
  (k) => {
    const billingAccounts = k.table('billing_accounts', {
      orgId: k.text('org_id').primaryKey(),
      provider: k.text('provider').notNull(),
      /** Increases with every change that a preview would show. */
      version: k.large('version').notNull(),
      /** The account's test clock, until it is deleted; null for an account that pays. */
      clockId: k.text('clock_id'),
      /** When its trial began. It stays when the account is removed from billing. Null before a trial, and in a sandbox. */
      trialUsedAtMs: k.epochMs('trial_used_at_ms'),
      createdAtMs: k.epochMs('created_at_ms').notNull(),
      updatedAtMs: k.epochMs('updated_at_ms').notNull(),
    })
    const billingSubscriptions = k.table(
      'billing_subscriptions',
      {
        id: k.text('id').primaryKey(),
        orgId: k.text('org_id').notNull(),
        planId: k.text('plan_id').notNull(),
        interval: k.text('interval').notNull(),
        status: k.text('status').notNull(),
        periodAnchorMs: k.epochMs('period_anchor_ms').notNull(),
        currentPeriodStartMs: k.epochMs('current_period_start_ms').notNull(),
        currentPeriodEndMs: k.epochMs('current_period_end_ms').notNull(),
        cancelAtPeriodEnd: k.bool('cancel_at_period_end').notNull(),
        canceledAtMs: k.epochMs('canceled_at_ms'),
        addons: k.json<readonly Addon[]>('addons').notNull(),
        recurringDiscount: k.json<StandingRule>('recurring_discount'),
        failedPaymentAttempts: k.count('failed_payment_attempts').notNull(),
        countedFailures: k.json<readonly PaymentFailure[]>('counted_failures').notNull(),
        firstFailedAtMs: k.epochMs('first_failed_at_ms'),
        graceEndsAtMs: k.epochMs('grace_ends_at_ms'),
        graceDowngradedAtMs: k.epochMs('grace_downgraded_at_ms'),
        reversal: k.json<Reversal>('reversal'),
        pendingChange: k.json<PendingChange>('pending_change'),
        lastGrantedPeriodStartMs: k.epochMs('last_granted_period_start_ms'),
        /** Notices of a trial or of a failed payment up to this instant were sent. */
        toldThroughMs: k.epochMs('told_through_ms'),
        /** When it first was in force, in a trial or not. Null for one that nobody has paid for. */
        begunAtMs: k.epochMs('begun_at_ms'),
        /** No subscription of the account had begun before this one. */
        isFirst: k.bool('is_first').notNull(),
        /**
         * Totals of the ledger: what is left of the open grants, the newest number, and the number of rows that a
         * provider does not know yet.
         */
        balanceCents: k.large('balance_cents').notNull(),
        lastSeq: k.large('last_seq').notNull(),
        /** The hash of the newest row; empty while there is none. */
        ledgerHash: k.text('ledger_hash').notNull(),
        /** The newest row that a seal in the account's chain covers. */
        sealedSeq: k.large('sealed_seq').notNull(),
        pendingRows: k.count('pending_rows').notNull(),
        createdAtMs: k.epochMs('created_at_ms').notNull(),
        updatedAtMs: k.epochMs('updated_at_ms').notNull(),
      },
      (t) => [
        k
          .uniqueIndex('billing_subscriptions_live')
          .on(t.orgId)
          .where(k.sql`status IN ('active', 'trialing', 'past_due')`),
        k.uniqueIndex('billing_subscriptions_incomplete').on(t.orgId).where(k.sql`status = 'incomplete'`),
        k.index('billing_subscriptions_org').on(t.orgId, t.id),
        k.index('billing_subscriptions_time').on(t.createdAtMs, t.id),
        k.index('billing_subscriptions_unsealed').on(t.id).where(k.sql`last_seq > sealed_seq`),
        k.index('billing_subscriptions_due').on(t.status, t.currentPeriodEndMs),
        k.index('billing_subscriptions_state').on(t.status, t.id),
      ],
    )
    /** Each period is rolled over only once. */
    const billingPeriodRolls = k.table(
      'billing_period_rolls',
      {
        id: k.text('id').primaryKey(),
        orgId: k.text('org_id').notNull(),
        subscriptionId: k.text('subscription_id').notNull(),
        periodStartMs: k.epochMs('period_start_ms').notNull(),
        invoiceId: k.text('invoice_id'),
        createdAtMs: k.epochMs('created_at_ms').notNull(),
      },
      (t) => [
        k.uniqueIndex('billing_period_rolls_once').on(t.subscriptionId, t.periodStartMs),
        k.index('billing_period_rolls_org').on(t.orgId, t.id),
      ],
    )
    const billingCreditEntries = k.table(
      'billing_credit_entries',
      {
        id: k.text('id').primaryKey(),
        orgId: k.text('org_id').notNull(),
        subscriptionId: k.text('subscription_id').notNull(),
        seq: k.large('seq').notNull(),
        type: k.text('type').notNull(),
        sourceId: k.text('source_id').notNull(),
        cents: k.large('cents').notNull(),
        remainingCents: k.large('remaining_cents').notNull(),
        reversedCents: k.large('reversed_cents').notNull(),
        state: k.text('state').notNull(),
        dedupeKey: k.text('dedupe_key').notNull(),
        grantedAtMs: k.epochMs('granted_at_ms').notNull(),
        fulfillmentRef: k.json<NonNullable<LedgerRow['fulfillmentRef']>>('fulfillment_ref'),
        actorId: k.text('actor_id'),
        details: k.json<Readonly<Record<string, unknown>>>('details'),
        /** The hash of the facts and of the row before. */
        hash: k.text('hash').notNull(),
      },
      (t) => [
        k.uniqueIndex('billing_credit_entries_key').on(t.orgId, t.dedupeKey),
        k.uniqueIndex('billing_credit_entries_seq').on(t.subscriptionId, t.seq),
        k.index('billing_credit_entries_open').on(t.subscriptionId, t.id).where(k.sql`remaining_cents > 0`),
        k.index('billing_credit_entries_org').on(t.orgId, t.id),
        k.index('billing_credit_entries_time').on(t.orgId, t.grantedAtMs, t.id),
        k.index('billing_credit_entries_actor').on(t.actorId),
      ],
    )
    const billingEvents = k.table(
      'billing_events',
      {
        id: k.text('id').primaryKey(),
        orgId: k.text('org_id').notNull(),
        subscriptionId: k.text('subscription_id'),
        type: k.text('type').notNull(),
        actorId: k.text('actor_id'),
        details: k.json<Readonly<Record<string, unknown>>>('details').notNull(),
        createdAtMs: k.epochMs('created_at_ms').notNull(),
      },
      (t) => [
        k.index('billing_events_time').on(t.orgId, t.createdAtMs, t.id),
        k.index('billing_events_type').on(t.orgId, t.type, t.createdAtMs, t.id),
        k.index('billing_events_all').on(t.createdAtMs, t.id),
        k.index('billing_events_actor').on(t.actorId),
      ],
    )
    const billingInvoices = k.table(
      'billing_invoices',
      {
        id: k.text('id').primaryKey(),
        orgId: k.text('org_id').notNull(),
        ...invoiceColumns(k),
      },
      (t) => [
        k.uniqueIndex('billing_invoices_external').on(t.source, t.externalId),
        k.index('billing_invoices_time').on(t.orgId, t.createdAtMs, t.id),
      ],
    )
    /** Test clocks of sandbox accounts. They advance only on request. */
    const billingClocks = k.table(
      'billing_clocks',
      {
        id: k.text('id').primaryKey(),
        orgId: k.text('org_id').notNull(),
        name: k.text('name').notNull(),
        nowMs: k.epochMs('now_ms').notNull(),
        /**
         * Payments of the account fail from `failFromMs` (null for never) until `failUntilMs` (null for ever).
         */
        failFromMs: k.epochMs('fail_from_ms'),
        failUntilMs: k.epochMs('fail_until_ms'),
        createdAtMs: k.epochMs('created_at_ms').notNull(),
        updatedAtMs: k.epochMs('updated_at_ms').notNull(),
      },
      (t) => [
        k.uniqueIndex('billing_clocks_org').on(t.orgId),
        k.index('billing_clocks_time').on(t.orgId, t.createdAtMs, t.id),
      ],
    )
    /** The newest difference between what an account is entitled to and what was in force, with what was done about it. */
    const billingEntitlementDrift = k.table('billing_entitlement_drift', {
      orgId: k.text('org_id').primaryKey(),
      subscriptionId: k.text('subscription_id').notNull(),
      differs: k.json<readonly string[]>('differs').notNull(),
      isRepaired: k.bool('is_repaired').notNull(),
      foundAtMs: k.epochMs('found_at_ms').notNull(),
    })
    /** What an account wants to be notified of about its money. */
    const billingAlerts = k.table(
      'billing_alerts',
      {
        id: k.text('id').primaryKey(),
        orgId: k.text('org_id').notNull(),
        kind: k.text('kind').notNull(),
        thresholdCents: k.large('threshold_cents').notNull(),
        createdAtMs: k.epochMs('created_at_ms').notNull(),
        updatedAtMs: k.epochMs('updated_at_ms').notNull(),
      },
      (t) => [k.index('billing_alerts_time').on(t.orgId, t.createdAtMs, t.id)],
    )
    /** An alert notifies once in a period. */
    const billingAlertFirings = k.table(
      'billing_alert_firings',
      {
        id: k.text('id').primaryKey(),
        orgId: k.text('org_id').notNull(),
        alertId: k.text('alert_id').notNull(),
        periodStartMs: k.epochMs('period_start_ms').notNull(),
        cents: k.large('cents').notNull(),
        createdAtMs: k.epochMs('created_at_ms').notNull(),
      },
      (t) => [
        k.uniqueIndex('billing_alert_firings_once').on(t.alertId, t.periodStartMs),
        k.index('billing_alert_firings_org').on(t.orgId, t.id),
      ],
    )
    return {
      billingAlerts,
      billingAlertFirings,
      billingAccounts,
      billingSubscriptions,
      billingPeriodRolls,
      billingCreditEntries,
      billingEvents,
      billingInvoices,
      billingClocks,
      billingEntitlementDrift,
    }
  },
  {
    billingAlerts: tenant(),
    billingAlertFirings: tenant(),
    billingAccounts: tenant(),
    billingSubscriptions: tenant(),
    billingPeriodRolls: tenant(),
    billingCreditEntries: tenant(),
    billingEvents: tenant(),
    billingInvoices: tenant(),
    billingClocks: tenant(),
    billingEntitlementDrift: tenant(),
  },
)

type Tables = ReturnType<typeof billingTables>
export type SubscriptionRow = Tables['billingSubscriptions']['$inferSelect']
export type EntryRow = Tables['billingCreditEntries']['$inferSelect']
export type EventRow = Tables['billingEvents']['$inferSelect']
export type AlertRow = Tables['billingAlerts']['$inferSelect']
export type ClockRow = Tables['billingClocks']['$inferSelect']
export type InvoiceRow = Tables['billingInvoices']['$inferSelect']
