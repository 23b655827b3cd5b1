/**
 * What is known of accounts at the payment provider: customers, subscriptions, calls, deliveries. A subscription that
 * no provider charges has no rows here.
 */
import type { Addon, AppliedCombo, PrunedAddon } from '@plumbline/billing-core'
import { global, tableSet, tenant } from '../runtime/store/table-set.js'

/** What a call asks for. Its kind decides which fields it has. */
export interface Wish {
  readonly state?: { readonly planId: string; readonly interval: string; readonly addons: readonly Addon[] }
  /** For a new subscription: it is free until then. */
  readonly trialEndsAt?: string
  /** When it is charged. */
  readonly charge?: 'now' | 'period_end'
  /** The instant of the preview that a change at once names: the change costs what was shown then. */
  readonly proratedAt?: string
  /** Details of the change, for its events. */
  readonly change?: {
    readonly pruned: readonly PrunedAddon[]
    readonly cascaded: readonly { readonly bundleId: string; readonly cascadedFrom: string }[]
    readonly lostCombos: readonly AppliedCombo[]
  }
  readonly credit?: { readonly cents: number; readonly rowId: string; readonly dedupeKey: string }
  /** The subscription at the provider when it differs from the link's: one that is superseded. */
  readonly externalId?: string
}

/** What the provider answered, without its objects. */
export interface CallAnswer {
  readonly code: string
  readonly message: string
  readonly isDeclined?: boolean
}

export const providerTables = tableSet(
  'billing',
  (k) => {
    const billingProviderCustomers = k.table(
      'billing_provider_customers',
      {
        orgId: k.text('org_id').primaryKey(),
        provider: k.text('provider').notNull(),
        customerId: k.text('customer_id').notNull(),
        createdAtMs: k.epochMs('created_at_ms').notNull(),
      },
      (t) => [k.uniqueIndex('billing_provider_customers_external').on(t.provider, t.customerId)],
    )
    /** A subscription at a provider, by our id. */
    const billingProviderLinks = k.table(
      'billing_provider_links',
      {
        id: k.text('id').primaryKey(),
        orgId: k.text('org_id').notNull(),
        provider: k.text('provider').notNull(),
        /** Null until the provider has confirmed. */
        externalId: k.text('external_id'),
        /** When the newest applied state was true at the provider. */
        seenAtMs: k.epochMs('seen_at_ms').notNull(),
        /** True when it has ended at the provider. Nothing revives it. */
        isEnded: k.bool('is_ended').notNull(),
        /** True while the account has canceled and the provider has not confirmed it. */
        cancelUnconfirmed: k.bool('cancel_unconfirmed').notNull(),
        /** True while the provider holds the period for a change of the interval: nothing in it can be charged. */
        isPeriodHeld: k.bool('is_period_held').notNull(),
        /** Where the account pays what is due. */
        paymentUrl: k.text('payment_url'),
        paidPeriodStartMs: k.epochMs('paid_period_start_ms'),
        /** The period whose invoice the provider has announced: its credit is granted from then on. */
        announcedPeriodStartMs: k.epochMs('announced_period_start_ms'),
        createdAtMs: k.epochMs('created_at_ms').notNull(),
        updatedAtMs: k.epochMs('updated_at_ms').notNull(),
      },
      (t) => [
        k.uniqueIndex('billing_provider_links_external').on(t.provider, t.externalId),
        k.index('billing_provider_links_org').on(t.orgId, t.id),
      ],
    )
    const billingProviderCalls = k.table(
      'billing_provider_calls',
      {
        id: k.text('id').primaryKey(),
        orgId: k.text('org_id').notNull(),
        subscriptionId: k.text('subscription_id').notNull(),
        kind: k.text('kind').notNull(),
        wish: k.json<Wish>('wish').notNull(),
        /** The version of the account when the wish was written. */
        version: k.large('version').notNull(),
        /** The prefix of its keys. The second and later keys end in `:2` and so on. */
        idemKey: k.text('idem_key').notNull(),
        keyNumber: k.count('key_number').notNull(),
        /** Digest of the client's Idempotency-Key. */
        clientKey: k.text('client_key'),
        state: k.text('state').notNull(),
        fence: k.count('fence').notNull(),
        leaseUntilMs: k.epochMs('lease_until_ms').notNull(),
        attempts: k.count('attempts').notNull(),
        /** When the call was first sent with its current key. */
        firstSentAtMs: k.epochMs('first_sent_at_ms'),
        nextAtMs: k.epochMs('next_at_ms').notNull(),
        answer: k.json<CallAnswer>('answer'),
        actorId: k.text('actor_id'),
        createdAtMs: k.epochMs('created_at_ms').notNull(),
        updatedAtMs: k.epochMs('updated_at_ms').notNull(),
      },
      (t) => [
        k.uniqueIndex('billing_provider_calls_key').on(t.idemKey),
        k.uniqueIndex('billing_provider_calls_client').on(t.orgId, t.clientKey),
        k
          .uniqueIndex('billing_provider_calls_open')
          .on(t.subscriptionId)
          .where(k.sql`state IN ('queued', 'sent', 'unknown')`),
        k.index('billing_provider_calls_due').on(t.state, t.nextAtMs),
        k.index('billing_provider_calls_time').on(t.createdAtMs, t.id),
        k.index('billing_provider_calls_org').on(t.orgId, t.id),
        k.index('billing_provider_calls_actor').on(t.actorId),
      ],
    )
    const billingWebhookEvents = k.table(
      'billing_webhook_events',
      {
        /** The source and the sender's id, separated by a colon. */
        id: k.text('id').primaryKey(),
        source: k.text('source').notNull(),
        eventId: k.text('event_id').notNull(),
        type: k.text('type').notNull(),
        objectId: k.text('object_id').notNull(),
        state: k.text('state').notNull(),
        /** What it did, or why it did nothing. */
        effect: k.text('effect'),
        fence: k.count('fence').notNull(),
        leaseUntilMs: k.epochMs('lease_until_ms').notNull(),
        attempts: k.count('attempts').notNull(),
        nextAtMs: k.epochMs('next_at_ms').notNull(),
        /** Sealed; null once it is erased. */
        payload: k.text('payload'),
        sentAtMs: k.epochMs('sent_at_ms').notNull(),
        receivedAtMs: k.epochMs('received_at_ms').notNull(),
        doneAtMs: k.epochMs('done_at_ms'),
      },
      (t) => [
        k.index('billing_webhook_events_object').on(t.source, t.objectId),
        k.index('billing_webhook_events_due').on(t.state, t.nextAtMs),
        k.index('billing_webhook_events_time').on(t.receivedAtMs, t.id),
      ],
    )
    /** How far a comparison has progressed: with a provider, or of entitlements, by its name. */
    const billingProviderCursors = k.table('billing_provider_cursors', {
      provider: k.text('provider').primaryKey(),
      eventsUntilMs: k.epochMs('events_until_ms').notNull(),
      /** The last account that was compared completely. The next round begins after it. */
      comparedId: k.text('compared_id').notNull(),
      drift: k.json<readonly Drift[]>('drift').notNull(),
      finishedAtMs: k.epochMs('finished_at_ms').notNull(),
    })
    return {
      billingProviderCustomers,
      billingProviderLinks,
      billingProviderCalls,
      billingWebhookEvents,
      billingProviderCursors,
    }
  },
  {
    billingProviderCustomers: tenant(),
    billingProviderLinks: tenant(),
    billingProviderCalls: tenant(),
    billingWebhookEvents: global('a delivery is read before it is known whose it is'),
    billingProviderCursors: global('a comparison goes over all accounts'),
  },
)

/** A difference that a comparison found, and what was done about it. */
export interface Drift {
  readonly orgId: string
  readonly subscriptionId: string
  readonly what: string
  readonly repaired: boolean
}

type Tables = ReturnType<typeof providerTables>
export type LinkRow = Tables['billingProviderLinks']['$inferSelect']
export type CallRow = Tables['billingProviderCalls']['$inferSelect']
export type DeliveryRow = Tables['billingWebhookEvents']['$inferSelect']
