/** Billing over HTTP for tests: an app with its domains, new accounts, a clock that moves, and jobs that run. */
import { BILLING_JOBS, BILLING_OPERATIONS } from '../../src/billing/operations.js'
import { billingRegistration } from '../../src/billing/registration.js'
import { billingTables } from '../../src/billing/tables.js'
import { identityRegistration } from '../../src/identity/registration.js'
import { TENANT_OPERATIONS } from '../../src/identity/tenant-operations.js'
import { QUOTA_OPERATIONS } from '../../src/quota/operations.js'
import { quotaRegistration } from '../../src/quota/registration.js'
import type { Store } from '../../src/runtime/store/db.js'
import { confirmed, organizationApp, runJobs, signInAgain, superAdmin } from './organizations.js'
import { placesRegistration } from './places.js'
import { type IdentityApp, type SignedIn, signUp } from './sign-in.js'

export const DAY_MS = 86_400_000

/** Turns off renewal reminders, except in the tests of reminders. */
const QUIET = { RENEWAL_REMINDER_DAYS: '0' }

/**
 * Number of people per database. Each account gets its own year, and the token of a preview can only hold a time before
 * 2286.
 */
const people = new WeakMap<Store, number>()

function nextPerson(store: Store): number {
  const count = (people.get(store) ?? 0) + 1
  people.set(store, count)
  return count
}

export class BillingWorld {
  private constructor(
    readonly store: Store,
    readonly app: IdentityApp,
    public root: SignedIn,
  ) {}

  static async start(store: Store, settings: Record<string, string> = {}): Promise<BillingWorld> {
    const app = await organizationApp(store, {
      operations: [...TENANT_OPERATIONS, ...QUOTA_OPERATIONS, ...BILLING_OPERATIONS],
      domains: [identityRegistration, quotaRegistration, placesRegistration, billingRegistration],
      settings: { ...QUIET, BILLING_ENABLED: 'true', BILLING_BUNDLES_ENABLED: 'true', ...settings },
    })
    return new BillingWorld(store, app, await superAdmin(app, `operator${nextPerson(store)}`))
  }

  /** A new account on the first of April of its own year, so that nothing of other accounts is due then. */
  async account(): Promise<BillingAccount> {
    this.app.clock.set(Math.max(Date.UTC(2027 + nextPerson(this.store), 3, 1), this.app.clock.now()))
    this.root = await signInAgain(this.app, this.root)
    await this.store.system.write(async (tx) => {
      await tx.update(billingTables(tx).billingSubscriptions).set({ status: 'canceled' })
    })
    return this.sibling()
  }

  /** A second account at the same time. */
  async sibling(): Promise<BillingAccount> {
    return new BillingAccount(this, await signUp(this.app, `payer${nextPerson(this.store)}`))
  }

  readonly get = (path: string, as: SignedIn | null = this.root) => this.app.call('GET', path, { as })
  readonly call = (method: string, path: string, body?: unknown, as: SignedIn = this.root) =>
    this.app.call(method as 'POST', path, { as, body })
  readonly confirmed = (method: string, path: string, body?: unknown, as: SignedIn = this.root) =>
    confirmed(this.app, method as 'POST', path, { as, body })

  /** Runs the jobs of these kinds, or all billing jobs without arguments. */
  run(...kinds: string[]) {
    const wanted = kinds.length === 0 ? BILLING_JOBS.map(({ kind }) => kind) : kinds
    return runJobs(this.app, [...BILLING_JOBS], wanted)
  }
}

export class BillingAccount {
  constructor(
    readonly world: BillingWorld,
    public person: SignedIn,
  ) {}

  get orgId(): string {
    return this.person.orgId
  }

  readonly get = (path: string) => this.world.get(path, this.person)
  readonly call = (method: string, path: string, body?: unknown) => this.world.call(method, path, body, this.person)
  readonly post = (path: string, body: unknown = {}) => this.call('POST', path, body)

  async subscribe(planId: string, more: object = {}) {
    const answer = await this.post('/billing/subscriptions', { planId, ...more })
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
    return answer.data.subscription
  }

  async subscription() {
    return (await this.get('/billing/subscription')).data.subscription
  }

  async quotas() {
    return (await this.get('/quotas')).data.quota
  }

  async events(): Promise<{ type: string; details: Record<string, unknown>; createdAt: string }[]> {
    return (await this.get('/billing/events?limit=1000&sortOrder=asc')).data.events
  }

  async cancel() {
    const { id } = await this.subscription()
    return this.world.confirmed('POST', `/billing/subscriptions/${id}/cancel`, undefined, this.person)
  }

  /** Moves the clock, which ends the current sessions. */
  async later(ms: number): Promise<void> {
    this.world.app.clock.advance(ms)
    await this.signInAgain()
  }

  async signInAgain(): Promise<void> {
    this.person = await signInAgain(this.world.app, this.person)
    this.world.root = await signInAgain(this.world.app, this.world.root)
  }
}
