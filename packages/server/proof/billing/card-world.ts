/**
 * Accounts that a card provider charges, for the proofs: its time is theirs, what it tells waits until it is delivered, and what an
 * account has come to is read past every cache.
 */
import type { FakeCard } from '../../src/billing/fake/card/fake.js'
import { type CardApp, cardApp } from '../../test/support/card.js'
import { confirmed, signInAgain, superAdmin } from '../../test/support/organizations.js'
import { type SignedIn, signUp } from '../../test/support/sign-in.js'
import type { ProofDatabase } from '../world/database.js'

export const MINUTE_MS = 60_000
export const DAY_MS = 86_400_000
/** Rounds after which nothing is under way any more: each waits longer than a call that failed. */
const ROUNDS_MAX = 12

type Answer = Awaited<ReturnType<CardApp['app']['call']>>

export class CardWorld {
  #people = 0
  private constructor(
    readonly database: ProofDatabase,
    readonly card: CardApp,
    public root: SignedIn,
  ) {}

  static async start(database: ProofDatabase): Promise<CardWorld> {
    const card = await cardApp(database.store)
    return new CardWorld(database, card, await superAdmin(card.app, 'operator'))
  }

  get fake(): FakeCard {
    return this.card.fake
  }

  /** One more account, alone at the provider; those of before are over. */
  async account(): Promise<CardHolder> {
    const { state, faults } = this.fake
    for (const each of [state.subscriptions, state.customers, state.invoices, state.charges]) each.clear()
    state.events.length = 0
    state.balanceRows.length = 0
    this.card.waiting.length = 0
    faults.clear()
    await this.database.rows(
      `UPDATE billing_provider_links SET is_ended = ${this.database.engine === 'sqlite' ? '1' : 'true'} RETURNING id`,
    )
    this.#people += 1
    return new CardHolder(this, await signUp(this.card.app, `holder${this.#people}`))
  }

  operatorAgain(): Promise<SignedIn> {
    return signInAgain(this.card.app, this.root)
  }

  async asRoot(method: string, path: string, body: object): Promise<Answer> {
    this.root = await signInAgain(this.card.app, this.root)
    const answer = await confirmed(this.card.app, method as 'POST', path, { as: this.root, body })
    if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`)
    return answer
  }

  /** What is under way comes to its end: calls, deliveries, and what a comparison finds. */
  async settle(isCompared = true): Promise<void> {
    for (let round = 0; round < ROUNDS_MAX; round++) {
      await this.card.deliverAll()
      const left = await this.#underWay()
      if (left.length === 0) break
      if (round > 0) this.card.app.clock.advance(20 * MINUTE_MS)
      this.fake.tick()
      if (left.includes('call')) await this.card.calls()
      if (left.includes('delivery')) await this.card.webhooks()
    }
    if (!isCompared) return
    await this.compare()
    await this.settle(false)
  }

  compare(): Promise<void> {
    return this.card.job('billing.reconcile')
  }

  async #underWay(): Promise<unknown[]> {
    const rows = await this.database.rows(
      `SELECT 'call' AS what FROM billing_provider_calls WHERE state IN ('queued', 'sent', 'unknown')
       UNION SELECT 'delivery' FROM billing_webhook_events WHERE state IN ('failed', 'in_progress') AND payload IS NOT NULL
       UNION SELECT 'call' FROM billing_credit_entries e JOIN billing_provider_links l ON l.id = e.subscription_id WHERE e.state = 'pending' AND NOT l.is_ended
       UNION SELECT 'call' FROM billing_provider_links WHERE cancel_unconfirmed AND NOT is_ended`,
    )
    return rows.map(({ what }) => what)
  }

  async close(): Promise<void> {
    await this.card.close()
    await this.database.close()
  }
}

type Rows = Record<string, unknown>[]

/** What an account has come to, as it stands in the database. */
export interface Outcome {
  readonly subscriptions: Rows
  readonly invoices: Rows
  readonly entries: Rows
  readonly links: Rows
  readonly tiers: Rows
}

export class CardHolder {
  constructor(
    readonly world: CardWorld,
    public person: SignedIn,
  ) {}

  readonly call = (method: string, path: string, body?: object, headers = {}): Promise<Answer> =>
    this.world.card.app.call(method, path, { as: this.person, headers, ...(body === undefined ? {} : { body }) })

  /** @returns the code of a refusal; null for yes. */
  async cancel(at: string): Promise<string | null> {
    const answer = await confirmed(this.world.card.app, 'POST', `${at}/cancel`, { as: this.person })
    return answer.status < 300 ? null : (answer.code ?? String(answer.status))
  }

  /** A session is shorter than what passes here. */
  async again(): Promise<void> {
    this.person = await signInAgain(this.world.card.app, this.person)
  }

  /** It takes longer than a session. */
  async settle(isCompared = true): Promise<void> {
    await this.world.settle(isCompared)
    this.person = await signInAgain(this.world.card.app, this.person)
  }

  async subscription() {
    return (await this.call('GET', '/billing/subscription')).data.subscription
  }

  customer() {
    return [...this.world.fake.state.customers.values()].find(
      ({ metadata }) => metadata['plumbline_org'] === this.person.orgId,
    )
  }

  atProvider() {
    return [...this.world.fake.state.subscriptions.values()].filter((each) => each.customer === this.customer()?.id)
  }

  /** Pays what was drawn last on the page of the provider. */
  async pay(choice: 'good' | 'declines' = 'good'): Promise<void> {
    const { state } = this.world.fake
    const drawn = [...state.invoices.values()].findLast((each) => each.customer === this.customer()?.id)
    if (drawn !== undefined) await fetch(`${state.pagesAt}/_fake/pay/${drawn.id}?card=${choice}`, { method: 'POST' })
  }

  /** Time passes for both sides. */
  async later(ms: number): Promise<void> {
    const { app, fake } = this.world.card
    const step = DAY_MS / 2
    for (let left = ms; left > 0; left -= step) {
      app.clock.advance(Math.min(step, left))
      fake.tick()
    }
    this.person = await signInAgain(app, this.person)
  }

  /** What must be the same, whatever happened on the way. */
  async outcome(): Promise<Outcome> {
    const { database } = this.world
    const id = `'${this.person.orgId}'`
    const [subscriptions, invoices, entries, links, tiers] = await Promise.all([
      database.rows(
        `SELECT plan_id, interval, status, period_anchor_ms, current_period_start_ms, current_period_end_ms, cancel_at_period_end, addons, pending_change, balance_cents, grace_ends_at_ms, failed_payment_attempts, pending_rows FROM billing_subscriptions WHERE org_id = ${id} ORDER BY id`,
      ),
      database.rows(
        `SELECT external_id, subtotal_cents, credit_cents, total_cents, amount_paid_cents, status, period_start_ms FROM billing_invoices WHERE org_id = ${id} ORDER BY external_id`,
      ),
      database.rows(
        `SELECT source_id, type, state, SUM(cents) AS cents, COUNT(*) AS rows FROM billing_credit_entries WHERE org_id = ${id} AND source_id <> 'adjustment' GROUP BY source_id, type, state ORDER BY source_id, type, state`,
      ),
      database.rows(
        `SELECT is_ended, cancel_unconfirmed, external_id FROM billing_provider_links WHERE org_id = ${id}`,
      ),
      database.rows(`SELECT tier FROM organizations WHERE id = ${id}`),
    ])
    return { subscriptions, invoices, entries, links, tiers }
  }
}
