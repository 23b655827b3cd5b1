/**
 * The card provider, through its SDK, which is loaded on first use. The SDK does not retry: the call's row decides what
 * is sent again, with which key and when (`call/`).
 */
import type { Catalogue } from '@plumbline/billing-core'
import type Stripe from 'stripe'
import { Refusal } from '../../runtime/errors.js'
import { NOT_SELLABLE, ProviderFault } from '../provider/fault.js'
import type { PaymentProvider, ProviderSubscription, SubscriptionRef, WantedState } from '../provider/port.js'
import { thingsOf } from '../provider/things.js'
import { METADATA, readEvent, readInvoice, readSubscription } from './read.js'
import { openSdk, orNull, type Sdk, TIMEOUT_MS, toFault } from './sdk.js'
import type { CardSettings } from './settings.js'
import { SoldPrices } from './sold-prices.js'

/** How long a request waits for the amount of a price. What is not known by then is read before it is charged. */
const LEARN_MS = 3000
const PAGE = 100

type Ask = <T>(run: (sdk: Sdk) => Promise<T>) => Promise<T>

const EXPAND = { expand: ['latest_invoice'] }

export function cardProvider(settings: CardSettings, tiers: Catalogue, timeoutMs = TIMEOUT_MS): PaymentProvider {
  const sold = new SoldPrices(settings.prices, tiers)
  let opened: Promise<Sdk> | undefined
  const ask: Ask = async (run) => {
    opened ??= openSdk(settings, timeoutMs)
    try {
      return await run(await opened)
    } catch (error) {
      throw toFault(error)
    }
  }
  return {
    kind: 'card_provider',
    isLocal: false,
    requireSellable: (wanted) => void sold.items(wanted),
    learnPrices: (things) => ask((sdk) => sold.learn(sdk, things, LEARN_MS)),
    ...subscriptionCalls(settings, sold, ask),
    ...creditCalls(ask),
    ...invoiceCalls(settings, ask),
    portal: (customerId, returnUrl) => ask((sdk) => openPortal(sdk, customerId, returnUrl)),
    async *listEvents(sinceMs) {
      // The provider lists the newest first.
      const events = await ask(async (sdk) => {
        const all: Stripe.Event[] = []
        const created = { gte: Math.floor(sinceMs / 1000) }
        for await (const each of sdk.events.list({ created, limit: PAGE })) all.push(each)
        return all
      })
      for (const event of events.reverse()) yield readEvent(event)
    },
  }
}

type SubscriptionCalls = Pick<
  PaymentProvider,
  | 'ensureCustomer'
  | 'findCustomer'
  | 'deleteCustomer'
  | 'createSubscription'
  | 'applyState'
  | 'cancelAtPeriodEnd'
  | 'reactivate'
  | 'end'
  | 'readSubscription'
>

function subscriptionCalls(settings: CardSettings, sold: SoldPrices, ask: Ask): SubscriptionCalls {
  const read = (object: Stripe.Subscription): ProviderSubscription => readSubscription(object, settings.prices)
  return {
    ensureCustomer: (key, { orgId, name }) =>
      ask(async (sdk) => {
        const customer = await sdk.customers.create(
          { name, metadata: { [METADATA.org]: orgId } },
          { idempotencyKey: key },
        )
        return customer.id
      }),
    findCustomer: ({ orgId, sinceMs }) =>
      ask(async (sdk) => {
        const created = { gte: Math.floor(sinceMs / 1000) }
        for await (const each of sdk.customers.list({ created, limit: PAGE })) {
          if (each.metadata[METADATA.org] === orgId) return each.id
        }
        return null
      }),
    deleteCustomer: (customerId) => ask(async (sdk) => void (await orNull(sdk.customers.del(customerId)))),
    createSubscription: (key, wanted) =>
      ask(async (sdk) =>
        read(
          await sdk.subscriptions.create(
            {
              customer: wanted.customerId,
              items: await itemsOf(sdk, sold, wanted),
              // When the payment fails, the subscription stays incomplete, with an invoice that the customer can pay on
              // its page.
              payment_behavior: 'allow_incomplete',
              payment_settings: { save_default_payment_method: 'on_subscription' },
              ...trialOf(wanted.trialEndMs),
              metadata: {
                [METADATA.subscription]: wanted.subscriptionId,
                [METADATA.org]: wanted.orgId,
                [METADATA.call]: key,
              },
              ...EXPAND,
            },
            { idempotencyKey: key },
          ),
        ),
      ),
    applyState: (key, wanted) => ask(async (sdk) => read(await applyState(sdk, { settings, sold }, key, wanted))),
    cancelAtPeriodEnd: (key, externalId) => ask(async (sdk) => read(await setEnd(sdk, key, externalId, true))),
    reactivate: (key, externalId) => ask(async (sdk) => read(await setEnd(sdk, key, externalId, false))),
    end: (key, externalId) =>
      ask(async (sdk) => read(await sdk.subscriptions.cancel(externalId, EXPAND, { idempotencyKey: key }))),
    readSubscription: (ref) =>
      ask(async (sdk) => {
        const found = await findSubscription(sdk, ref)
        return found === null ? null : read(found)
      }),
  }
}

/** A trial that ends without a payment method ends the subscription. */
const trialOf = (endMs: number | null) =>
  endMs === null
    ? {}
    : {
        trial_end: Math.ceil(endMs / 1000),
        trial_settings: { end_behavior: { missing_payment_method: 'cancel' as const } },
      }

type CreditCalls = Pick<PaymentProvider, 'adjustCredit' | 'findCredit' | 'readBalance'>

const creditCalls = (ask: Ask): CreditCalls => ({
  adjustCredit: (key, { customerId, cents, rowId }) =>
    ask(async (sdk) => {
      const change = { amount: cents, currency: 'usd', metadata: { [METADATA.row]: rowId } }
      const { id } = await sdk.customers.createBalanceTransaction(customerId, change, { idempotencyKey: key })
      return { ref: id }
    }),
  findCredit: ({ customerId, rowId }) =>
    ask(async (sdk) => {
      for await (const each of sdk.customers.listBalanceTransactions(customerId, { limit: PAGE })) {
        if (each.metadata?.[METADATA.row] === rowId) return { ref: each.id }
      }
      return null
    }),
  readBalance: (customerId) =>
    ask(async (sdk) => {
      const customer = await sdk.customers.retrieve(customerId)
      return customer.deleted === true ? 0 : customer.balance
    }),
})

type InvoiceCalls = Pick<PaymentProvider, 'readInvoices' | 'readInvoice' | 'findInvoiceOfPayment'>

const invoiceCalls = (settings: CardSettings, ask: Ask): InvoiceCalls => ({
  readInvoices: ({ customerId, sinceMs }) =>
    ask(async (sdk) => {
      const all: Stripe.Invoice[] = []
      const created = { gte: Math.floor(sinceMs / 1000) }
      for await (const each of sdk.invoices.list({ customer: customerId, created, limit: PAGE })) all.push(each)
      return all.map((each) => readInvoice(each, settings.prices))
    }),
  readInvoice: (externalId) =>
    ask(async (sdk) => {
      const found = await orNull(sdk.invoices.retrieve(externalId))
      return found === null ? null : readInvoice(found, settings.prices)
    }),
  findInvoiceOfPayment: (paymentIntentId) =>
    ask(async (sdk) => {
      const payment = { type: 'payment_intent' as const, payment_intent: paymentIntentId }
      const { data } = await sdk.invoicePayments.list({ payment, limit: 1 })
      const invoice = data[0]?.invoice
      return invoice === undefined ? null : typeof invoice === 'string' ? invoice : invoice.id
    }),
})

/** @throws ProviderFault when something of it would not be charged as it is shown. Nothing was asked for then. */
async function itemsOf(
  sdk: Sdk,
  sold: SoldPrices,
  wanted: WantedState,
): Promise<{ price: string; quantity: number }[]> {
  await sold.learn(sdk, thingsOf(wanted))
  try {
    return sold.items(wanted)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const code = error.code === 'PRICE_NOT_CONFIGURED' ? NOT_SELLABLE : 'nothing_to_charge'
    throw new ProviderFault('refused', error.message, { code, cause: error })
  }
}

/** Existing items are found by their price, so that sending a change twice has the same result as sending it once. */
async function changedItems(sdk: Sdk, sold: SoldPrices, wanted: WantedState & { externalId: string }) {
  const items = await itemsOf(sdk, sold, wanted)
  const { items: present } = await sdk.subscriptions.retrieve(wanted.externalId)
  const known = new Map(present.data.map((item) => [item.price.id, item.id]))
  const gone = present.data.filter(({ price }) => !items.some((each) => each.price === price.id))
  return [
    ...items.map(({ price, quantity }) => {
      const id = known.get(price)
      return id === undefined ? { price, quantity } : { id, price, quantity }
    }),
    ...gone.map(({ id }) => ({ id, deleted: true })),
  ]
}

async function applyState(
  sdk: Sdk,
  { settings, sold }: { readonly settings: CardSettings; readonly sold: SoldPrices },
  key: string,
  wanted: Parameters<PaymentProvider['applyState']>[1],
): Promise<Stripe.Subscription> {
  const present = await sdk.subscriptions.retrieve(wanted.externalId)
  const items = await changedItems(sdk, sold, wanted)
  const before = readSubscription(present, settings.prices)
  const isOtherInterval = before.state !== null && before.state.interval !== wanted.interval
  const later = wanted.charge === 'period_end'
  // The period is held for a change of the interval, by a trial that the account never had. The mark stays until it is over.
  const isHeld = before.isPeriodHeld
  // guard: what-cannot-be-charged-is-not-changed
  if (isHeld && !later && isChange(items, present)) throw periodIsHeld(before.periodEndMs)
  const waits = isHeld || (later && isOtherInterval && before.status !== 'trialing')
  return sdk.subscriptions.update(
    wanted.externalId,
    {
      items,
      proration_behavior: later ? 'none' : 'always_invoice',
      // A change that is not paid is not made.
      ...(later ? {} : { payment_behavior: 'error_if_incomplete' as const, ...proratedAt(wanted, before) }),
      // A change of the interval would begin a new period at once. A trial up to the boundary keeps the period that is
      // paid.
      ...(later && isOtherInterval ? { trial_end: Math.floor(before.periodEndMs / 1000) } : {}),
      // A change during the trial waits for its end, and is not a different state.
      metadata: {
        [METADATA.call]: key,
        [METADATA.waits]: waits ? 'interval' : '',
      },
      expand: ['latest_invoice'],
    },
    { idempotencyKey: key },
  )
}

/** A period that began since the preview was shown is charged from now on. */
function proratedAt(
  { proratedAtMs: ms }: { readonly proratedAtMs: number | null },
  { periodStartMs, periodEndMs }: ProviderSubscription,
): { proration_date?: number } {
  if (ms === null || ms < periodStartMs || ms >= periodEndMs) return {}
  return { proration_date: Math.floor(ms / 1000) }
}

type ChangedItem = Awaited<ReturnType<typeof changedItems>>[number]

/** Whether anything is added, removed, or held in another quantity. */
const isChange = (items: readonly ChangedItem[], { items: { data } }: Stripe.Subscription): boolean =>
  items.some(
    (each) =>
      !('quantity' in each) || data.find(({ id }) => 'id' in each && id === each.id)?.quantity !== each.quantity,
  )

/** In a trial the provider charges nothing for a change, and gives nothing back. */
const periodIsHeld = (endMs: number): ProviderFault => {
  const until = new Date(endMs).toISOString()
  const why = `this period is held until ${until} for the change of the interval, so a change in it cannot be charged`
  return new ProviderFault('refused', `${why}: ask with \`when: "period_end"\`, or after that`, { code: 'period_held' })
}

const setEnd = (sdk: Sdk, key: string, externalId: string, isEnding: boolean): Promise<Stripe.Subscription> =>
  sdk.subscriptions.update(
    externalId,
    { cancel_at_period_end: isEnding, expand: ['latest_invoice'] },
    { idempotencyKey: key },
  )

async function findSubscription(sdk: Sdk, ref: SubscriptionRef): Promise<Stripe.Subscription | null> {
  const expand = ['latest_invoice']
  if (ref.externalId !== null) return orNull(sdk.subscriptions.retrieve(ref.externalId, { expand }))
  if (ref.customerId === null) return null
  const list = sdk.subscriptions.list({
    customer: ref.customerId,
    status: 'all',
    limit: PAGE,
    expand: ['data.latest_invoice'],
  })
  for await (const each of list) if (each.metadata[METADATA.subscription] === ref.subscriptionId) return each
  return null
}

/** Payment method, invoices and details only: a plan that is changed in the portal would bypass our limits. */
export const PORTAL_FEATURES = {
  payment_method_update: { enabled: true },
  invoice_history: { enabled: true },
  customer_update: { enabled: true, allowed_updates: ['address', 'email', 'name', 'tax_id'] },
  subscription_cancel: { enabled: false },
  subscription_update: { enabled: false },
} satisfies Stripe.BillingPortal.ConfigurationCreateParams.Features

export const PORTAL_METADATA = { plumbline: 'portal-1' }

async function openPortal(sdk: Sdk, customer: string, returnUrl: string): Promise<{ url: string }> {
  const { data } = await sdk.billingPortal.configurations.list({ active: true, limit: PAGE })
  const ours = data.find(({ metadata }) => metadata?.plumbline === PORTAL_METADATA.plumbline)
  const configuration =
    ours ??
    (await sdk.billingPortal.configurations.create(
      { features: PORTAL_FEATURES, metadata: PORTAL_METADATA },
      { idempotencyKey: 'plumbline-portal-1' },
    ))
  const session = await sdk.billingPortal.sessions.create({
    customer,
    return_url: returnUrl,
    configuration: configuration.id,
  })
  return { url: session.url }
}
