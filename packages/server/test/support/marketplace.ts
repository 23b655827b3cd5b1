/**
 * An app with the marketplace provider of this repository, over HTTP and through the SDKs. Notices wait until a test
 * sends them.
 */
import { FAKE_PRODUCT_CODE, FAKE_TOPIC_ARN, FakeMarketplace } from '../../src/billing/fake/marketplace/fake.js'
import type { Envelope } from '../../src/billing/fake/marketplace/notice.js'
import { type ListingKind, registrationToken, type Subscriber, sell } from '../../src/billing/fake/marketplace/state.js'
import { BILLING_JOBS, BILLING_OPERATIONS } from '../../src/billing/operations.js'
import { billingRegistration } from '../../src/billing/registration.js'
import { identityRegistration } from '../../src/identity/registration.js'
import { TENANT_OPERATIONS } from '../../src/identity/tenant-operations.js'
import { QUOTA_OPERATIONS } from '../../src/quota/operations.js'
import { quotaRegistration } from '../../src/quota/registration.js'
import type { Store } from '../../src/runtime/store/db.js'
import { organizationApp, runJobs } from './organizations.js'
import { placesRegistration } from './places.js'
import type { IdentityApp } from './sign-in.js'

export interface Said {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: answers of several operations
  readonly data: any
  readonly code: string | undefined
  // biome-ignore lint/suspicious/noExplicitAny: the envelope as it is
  readonly body: any
}

export interface MarketplaceApp {
  readonly app: IdentityApp
  readonly fake: FakeMarketplace
  /** Notices of the topic that no test has delivered yet. */
  readonly waiting: Envelope[]
  /** A customer buys. @returns the subscriber, and the token in their browser. */
  buys(kind: ListingKind, dimension: string | null, days?: number): { subscriber: Subscriber; token: string }
  post(path: string, body: string, contentType: string): Promise<Said>
  resolve(token: string): Promise<Said>
  deliver(envelope: object): Promise<Said>
  deliverAll(): Promise<void>
  job(kind: string): Promise<void>
  close(): Promise<void>
}

export async function marketplaceApp(store: Store, settings: Record<string, string> = {}): Promise<MarketplaceApp> {
  const waiting: Envelope[] = []
  let nowMs = () => Date.parse('2026-11-21T10:00:00.000Z')
  const fake = new FakeMarketplace({ now: () => nowMs(), onNotice: (envelope) => void waiting.push(envelope) })
  const url = await fake.listen()
  const app = await organizationApp(store, {
    operations: [...TENANT_OPERATIONS, ...QUOTA_OPERATIONS, ...BILLING_OPERATIONS],
    domains: [identityRegistration, quotaRegistration, placesRegistration, billingRegistration],
    settings: {
      BILLING_ENABLED: 'true',
      BILLING_BUNDLES_ENABLED: 'true',
      BILLING_PROVIDER: 'marketplace',
      BILLING_METERING_ENABLED: 'true',
      MARKETPLACE_API_URL: url,
      MARKETPLACE_PRODUCT_CODE: FAKE_PRODUCT_CODE,
      MARKETPLACE_SNS_TOPIC_ARN: FAKE_TOPIC_ARN,
      MARKETPLACE_BUNDLE_DIMENSION_MAP: 'listing',
      MARKETPLACE_DIMENSION_PRICE_MAP: 'listing',
      ...settings,
    },
  })
  nowMs = () => app.clock.now()
  const post: MarketplaceApp['post'] = async (path, body, contentType) => {
    const headers = { 'content-type': contentType }
    const answer = await app.http.request(`/api${path}`, { method: 'POST', headers, body })
    // biome-ignore lint/suspicious/noExplicitAny: the envelope as it is
    const said = (await answer.json()) as any
    return { status: answer.status, data: said.data, code: said.code, body: said }
  }
  const deliver: MarketplaceApp['deliver'] = (envelope) =>
    post('/billing/marketplace/notifications', JSON.stringify(envelope), 'text/plain; charset=UTF-8')
  return {
    app,
    fake,
    waiting,
    post,
    deliver,
    buys(kind, dimension, days) {
      const expiresAtMs = days === undefined ? null : fake.nowMs() + days * 86_400_000
      const entitlements = dimension === null ? [] : [{ dimension, value: 1, expiresAtMs }]
      const subscriber = sell(fake.state, { kind, entitlements })
      return { subscriber, token: registrationToken(fake.state, subscriber, fake.nowMs()) }
    },
    resolve: (token) => post('/billing/marketplace/resolve', JSON.stringify({ token }), 'application/json'),
    async deliverAll() {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await deliver(next)
    },
    job: (kind) => runJobs(app, BILLING_JOBS, [kind]),
    close: () => fake.close(),
  }
}
