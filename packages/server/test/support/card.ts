/**
 * An app with the card provider of this repository, over HTTP and through the SDK. Deliveries wait until a test sends
 * them.
 */
import { FakeCard } from '../../src/billing/fake/card/fake.js'
import { fakePriceMap, type StoredEvent } from '../../src/billing/fake/card/state.js'
import { BILLING_JOBS, BILLING_OPERATIONS } from '../../src/billing/operations.js'
import { billingRegistration } from '../../src/billing/registration.js'
import { identityRegistration } from '../../src/identity/registration.js'
import { TENANT_OPERATIONS } from '../../src/identity/tenant-operations.js'
import { QUOTA_OPERATIONS } from '../../src/quota/operations.js'
import { quotaRegistration } from '../../src/quota/registration.js'
import type { Store } from '../../src/runtime/store/db.js'
import { organizationApp, runJobs, signInAgain } from './organizations.js'
import { placesRegistration } from './places.js'
import type { IdentityApp, SignedIn } from './sign-in.js'

export interface Delivery {
  readonly body: string
  readonly signature: string
}

export interface CardApp {
  readonly app: IdentityApp
  readonly fake: FakeCard
  /** Events that the provider has created and no test has delivered yet. */
  readonly waiting: StoredEvent[]
  /** Delivers one event. Returns the answer unchanged. */
  deliver(
    delivery: Delivery,
    headers?: Record<string, string>,
  ): Promise<{ status: number; data: Record<string, unknown>; code: string | undefined }>
  /** Delivers all waiting events in order, until none is left. */
  deliverAll(): Promise<void>
  calls(): Promise<void>
  webhooks(): Promise<void>
  job(kind: string): Promise<void>
  close(): Promise<void>
}

export const WEBHOOK_PATH = '/api/billing/card-provider/webhook'

export async function cardApp(store: Store, settings: Record<string, string> = {}): Promise<CardApp> {
  const waiting: StoredEvent[] = []
  let nowMs = () => Date.parse('2026-11-21T10:00:00.000Z')
  const fake = new FakeCard({
    now: () => nowMs(),
    onEvent: (event) => void waiting.push(event),
  })
  const url = await fake.listen()
  const app = await organizationApp(store, {
    operations: [...TENANT_OPERATIONS, ...QUOTA_OPERATIONS, ...BILLING_OPERATIONS],
    domains: [identityRegistration, quotaRegistration, placesRegistration, billingRegistration],
    settings: {
      RENEWAL_REMINDER_DAYS: '0',
      BILLING_ENABLED: 'true',
      BILLING_BUNDLES_ENABLED: 'true',
      BILLING_PROVIDER: 'card_provider',
      CARD_PROVIDER_SECRET_KEY: 'sk_test_fake',
      CARD_PROVIDER_WEBHOOK_SECRET: 'whsec_old,whsec_fake',
      CARD_PROVIDER_PRICE_MAP: JSON.stringify(fakePriceMap()),
      CARD_PROVIDER_API_URL: url,
      ...settings,
    },
  })
  nowMs = () => app.clock.now()
  const deliver: CardApp['deliver'] = async ({ body, signature }, headers = {}) => {
    const answer = await app.http.request(WEBHOOK_PATH, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'stripe-signature': signature, ...headers },
      body,
    })
    const said = (await answer.json()) as { data: Record<string, unknown>; code?: string }
    return { status: answer.status, data: said.data, code: said.code }
  }
  const job = (kind: string) => runJobs(app, BILLING_JOBS, [kind])
  return {
    app,
    fake,
    waiting,
    deliver,
    async deliverAll() {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await deliver(fake.signed(next))
    },
    calls: () => job('billing.calls'),
    webhooks: () => job('billing.webhooks'),
    job,
    close: () => fake.close(),
  }
}

/** Moves the clock of both sides. The current session ends, so the person signs in again. */
export async function pass({ app, fake }: CardApp, ms: number, person: SignedIn): Promise<SignedIn> {
  const step = 12 * 3_600_000
  for (let left = ms; left > 0; left -= step) {
    app.clock.advance(Math.min(step, left))
    fake.tick()
  }
  return signInAgain(app, person)
}
