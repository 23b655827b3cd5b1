/**
 * The server that the benchmark of billing loads: `stub FOLDER` or `card FOLDER`, on SQLite in that folder, or `stub FOLDER URL` on a
 * database that it makes on that server of PostgreSQL, until the task `drop`. It prints one line of JSON when it is ready, and answers
 * each line that it reads: a task by its name, or its memory and processor time. `start FOLDER on|off` is ready, says its memory, and
 * does nothing else.
 */

import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { serve } from '@hono/node-server'
import { eq } from 'drizzle-orm'
import pg from 'pg'
import { createApp } from '../../src/app.js'
import { FakeCard } from '../../src/billing/fake/card/fake.js'
import { fakePriceMap } from '../../src/billing/fake/card/state.js'
import { billingTables } from '../../src/billing/tables.js'
import { giveSuperAdmin } from '../../src/identity/auth/bootstrap.js'
import { prepareFirstStart } from '../../src/identity/index.js'
import { identityTables } from '../../src/identity/tables.js'
import { systemClock } from '../../src/runtime/clock.js'
import { createLimiter, memoryRateStore } from '../../src/runtime/http/rate-limit.js'
import { createLog } from '../../src/runtime/log/log.js'
import { bucketsOf, tierFactors } from '../../src/runtime/operation/buckets.js'
import { openPostgresStore, openSqliteStore } from '../../src/runtime/store/open-store.js'
import { testSettings } from '../../test/support/settings.js'

const PASSWORD = 'Correct-Horse-7'
const BATCH = 500
const CARDS = 32
const DAY_S = 86_400

const [mode = 'stub', folder = '', which = 'on'] = process.argv.slice(2)
const fake = mode === 'card' ? new FakeCard({ onEvent: (event) => void told.push(event) }) : null
const told: Parameters<FakeCard['signed']>[0][] = []
const settings = testSettings({
  DATA_DIR: folder,
  LIMITER_MAX: '0',
  AUTH_LIMITER_MAX: '0',
  BILLING_ENABLED: String(which !== 'off'),
  BILLING_BUNDLES_ENABLED: 'true',
  BILLING_TEST_CLOCKS: 'true',
  ...(fake === null
    ? {}
    : {
        BILLING_PROVIDER: 'card_provider',
        CARD_PROVIDER_SECRET_KEY: 'sk_test_fake',
        CARD_PROVIDER_WEBHOOK_SECRET: 'whsec_fake',
        CARD_PROVIDER_PRICE_MAP: JSON.stringify(fakePriceMap()),
        CARD_PROVIDER_API_URL: await fake.listen(),
      }),
})
const CONNECTIONS = 8
const databaseName = `plumbline_bench_${randomUUID().replaceAll('-', '')}`
const admin = which.startsWith('postgres') ? new pg.Client({ connectionString: which }) : null
await admin?.connect()
await admin?.query(`CREATE DATABASE ${databaseName}`)
const store =
  admin === null
    ? await openSqliteStore(join(folder, 'plumbline.db'), { checkpointsBeside: true })
    : await openPostgresStore({ url: new URL(`/${databaseName}`, which).href, connectionsMax: CONNECTIONS })
// As in production, where answers are not compared with their schemas.
const app = createApp({ store, settings: { ...settings, NODE_ENV: 'production' }, log: createLog({ level: 'error' }) })
// The work of the limits stays, and one account may ask as often as many.
const buckets = new Map(
  [...bucketsOf(settings)].map(([name, bucket]) => [name, { ...bucket, max: bucket.max === 0 ? 0 : 1e9 }] as const),
)
Object.assign(app.runtime, {
  limiter: createLimiter({ clock: systemClock, store: memoryRateStore(), buckets, tierFactors: tierFactors(settings) }),
})
await prepareFirstStart(app.runtime)
app.start()

function say(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`)
}

interface Person {
  readonly token: string
  readonly orgId: string
}

// biome-ignore lint/suspicious/noExplicitAny: answers of many operations
async function call(method: string, path: string, body?: object, token?: string, headers = {}): Promise<any> {
  const response = await app.http.fetch(
    new Request(`http://127.0.0.1/api${path}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
    {},
  )
  const answer = (await response.json()) as { data: unknown }
  if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`)
  return answer.data
}

async function signUp(name: string): Promise<Person> {
  const person = {
    username: name,
    email: `${name}@plumbline.test`,
    password: PASSWORD,
    organizationName: `${name} org`,
  }
  const { organization } = await call('POST', '/auth/register', person)
  const { accessToken } = await call('POST', '/auth/login', { identifier: name, password: PASSWORD })
  return { token: accessToken, orgId: organization.id }
}

async function operator(): Promise<Person> {
  await signUp('operator')
  await store.system.write(async (tx) => {
    const { users } = identityTables(tx)
    const [row] = await tx.select({ id: users.id }).from(users).where(eq(users.username, 'operator'))
    await tx
      .update(users)
      .set({ emailVerifiedAtMs: Date.now() })
      .where(eq(users.id, row?.id ?? ''))
    await giveSuperAdmin(tx, app.runtime, row?.id ?? '')
  })
  const { accessToken } = await call('POST', '/auth/login', { identifier: 'operator', password: PASSWORD })
  return { token: accessToken, orgId: '' }
}

if (mode === 'start') {
  await new Promise((resolve) => setTimeout(resolve, 500))
  globalThis.gc?.()
  say({ rss: process.memoryUsage().rss })
  await new Promise(() => undefined)
}

const root = await operator()

const subscribe = async ({ token }: Person): Promise<string> =>
  (await call('POST', '/billing/subscriptions', { planId: 'pro' }, token)).subscription.id

/** Rows that were spent long ago, under its newest number. */
async function withRows(person: Person, subscriptionId: string, count: number): Promise<void> {
  await store.system.write(async (tx) => {
    const { billingCreditEntries: e, billingSubscriptions: s } = billingTables(tx)
    for (let from = 1; from <= count; from += BATCH) {
      const rows = Array.from({ length: Math.min(BATCH, count - from + 1) }, (_, n) => ({
        id: app.runtime.ids.next(),
        orgId: person.orgId,
        subscriptionId,
        seq: from + n,
        type: (from + n) % 2 === 1 ? 'grant' : 'consume',
        sourceId: 'metering',
        cents: (from + n) % 2 === 1 ? 100 : -100,
        remainingCents: 0,
        reversedCents: 0,
        state: 'posted',
        dedupeKey: `bench:${from + n}`,
        grantedAtMs: 1_700_000_000_000 + (from + n) * 1000,
        fulfillmentRef: null,
        actorId: null,
        details: null,
        hash: `${from + n}`.padStart(64, '0'),
      }))
      await tx.insert(e).values(rows)
    }
    await tx
      .update(s)
      .set({ lastSeq: count, ledgerHash: `${count}`.padStart(64, '0') })
      .where(eq(s.id, subscriptionId))
  })
}

async function mint(count: number, prefix: string): Promise<void> {
  for (let n = 0; n < count; n++) {
    await call('POST', '/billing/admin/discounts', { code: '1:dollar:credit', alias: `${prefix}-${n}` }, root.token)
  }
}

/** Accounts that are there already, as copies of one. */
async function crowd(like: Person, subscriptionId: string, count: number): Promise<void> {
  await store.system.write(async (tx) => {
    const { organizations } = identityTables(tx)
    const { billingSubscriptions: s } = billingTables(tx)
    const [org] = await tx.select().from(organizations).where(eq(organizations.id, like.orgId))
    const [sub] = await tx.select().from(s).where(eq(s.id, subscriptionId))
    if (org === undefined || sub === undefined) throw new Error('there is no account to copy')
    for (let from = 0; from < count; from += 100) {
      const ids = Array.from({ length: 100 }, () => app.runtime.ids.next())
      await tx.insert(organizations).values(
        ids.map((id) => ({
          ...org,
          id,
          rootOrgId: id,
          name: `Crowd ${id}`,
          nameKey: `crowd ${id}`,
          displayName: `Crowd ${id}`,
          slug: `crowd-${id}`,
        })),
      )
      await tx.insert(s).values(
        ids.map((id) => ({
          ...sub,
          id: app.runtime.ids.next(),
          orgId: id,
          balanceCents: 0,
          lastSeq: 0,
          ledgerHash: '',
          sealedSeq: 0,
        })),
      )
    }
  })
}

const TASKS: Readonly<Record<string, (task: { readonly count: number }) => Promise<unknown>>> = {
  async mint({ count }) {
    await mint(count, 'LOAD')
    return { minted: count }
  },
  async payers({ count }) {
    const payers: { token: string; subscriptionId: string }[] = []
    for (let n = 0; n < count; n++) {
      const person = await signUp(`payer${n}`)
      payers.push({ token: person.token, subscriptionId: await subscribe(person) })
    }
    return payers
  },
  async year() {
    const person = await signUp(`year${Date.now()}`)
    const { clock } = await call('POST', '/billing/clocks', { name: 'year' }, person.token)
    await subscribe(person)
    const to = new Date(Date.parse(clock.now) + 365 * 86_400_000).toISOString()
    const beganMs = performance.now()
    await call('POST', `/billing/clocks/${clock.id}/advance`, { to }, person.token)
    return { ms: performance.now() - beganMs }
  },
  /** Grants and drains of one account beside those of the other, in turn. */
  async ledgers({ count }) {
    const people = [await signUp('few'), await signUp('many')]
    const ids = [await subscribe(people[0] as Person), await subscribe(people[1] as Person)]
    await withRows(people[0] as Person, ids[0] ?? '', 100)
    await withRows(people[1] as Person, ids[1] ?? '', 100_000)
    await mint(count, 'ROWS')
    const spent: number[][] = [[], []]
    for (let n = 0; n < count; n++) {
      for (const [which, { token }] of people.entries()) {
        const at = `/billing/subscriptions/${ids[which]}`
        const beganMs = performance.now()
        await call('POST', `${at}/discounts`, { code: `ROWS-${n}` }, token)
        await call('POST', `${at}/addons`, { bundleId: 'pipeline_pack', quantity: 1 + n }, token)
        spent[which]?.push(performance.now() - beganMs)
      }
    }
    return { few: median(spent[0] ?? []), many: median(spent[1] ?? []), token: people[1]?.token }
  },
  async crowd({ count }) {
    const person = await signUp('crowd')
    await crowd(person, await subscribe(person), count)
    const draft = {
      name: 'crowd',
      trigger: { type: 'manual' },
      unit: 'dollar',
      kind: 'onetime',
      value: 100,
      budgetCents: 1_000_000_000,
    }
    return {
      promotionId: (await call('POST', '/billing/admin/promotions', draft, root.token)).promotion.id,
      token: root.token,
    }
  },
  async activate() {
    const { promotions } = await call('GET', '/billing/admin/promotions', undefined, root.token)
    const { stepUpToken } = await call('POST', '/auth/step-up', { method: 'password', password: PASSWORD }, root.token)
    const beganMs = performance.now()
    const done = await call('POST', `/billing/admin/promotions/${promotions[0].id}/activate`, {}, root.token, {
      'x-step-up-token': stepUpToken,
    })
    return { ms: performance.now() - beganMs, granted: done.granted + done.alreadyGranted }
  },
  async drop() {
    await app.drain(0)
    await store.close()
    await admin?.query(`DROP DATABASE ${databaseName} WITH (FORCE)`)
    await admin?.end()
    return { dropped: true }
  },
  /** Deliveries that are newer each, of many accounts in turn; each second one cancels, each other takes it back. */
  async deliveries({ count }) {
    if (fake === null) throw new Error('deliveries are of a card provider')
    for (let n = 0; n < CARDS; n++) {
      const person = await signUp(`card${n}`)
      await subscribe(person)
      const invoice = [...fake.state.invoices.values()].at(-1)
      await fetch(`${fake.state.pagesAt}/_fake/pay/${invoice?.id}?card=good`, { method: 'POST' })
    }
    for (const event of told.splice(0)) {
      const { body, signature } = fake.signed(event)
      const headers = { 'content-type': 'application/json', 'stripe-signature': signature }
      await app.http.fetch(
        new Request('http://127.0.0.1/api/billing/card-provider/webhook', { method: 'POST', headers, body }),
        {},
      )
    }
    const subs = [...fake.state.subscriptions.values()]
    const fromS = Math.floor(Date.now() / 1000) + DAY_S
    return Array.from({ length: count }, (_, n) => {
      const sub = subs[n % subs.length]
      if (sub === undefined) throw new Error('there is no subscription at the provider')
      const turn = Math.floor(n / subs.length)
      const object = { ...(told.length === 0 ? lastOf(fake, sub.id) : {}), cancel_at_period_end: turn % 2 === 0 }
      const { body, signature } = fake.signed({
        id: `evt_load${n}`,
        type: 'customer.subscription.updated',
        created: fromS + turn,
        object,
      })
      return { headers: { 'stripe-signature': signature }, body }
    })
  },
}

function lastOf({ state }: FakeCard, id: string): object {
  const told = state.events.findLast(
    ({ type, object }) => type.startsWith('customer.subscription.') && (object as { id?: string }).id === id,
  )
  return told?.object ?? {}
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

const payer = fake === null ? await signUp('payer') : null
const subscriptionId = payer === null ? null : await subscribe(payer)
serve({ fetch: (request, env) => app.http.fetch(request, env as object), port: 0, hostname: '127.0.0.1' }, ({ port }) =>
  say({ port, token: payer?.token, subscriptionId }),
)
createInterface({ input: process.stdin }).on('line', async (line) => {
  const task = line === '' ? null : (JSON.parse(line) as { task: string; count: number })
  if (task === null) say({ rss: process.memoryUsage().rss, cpu: process.cpuUsage() })
  else say((await TASKS[task.task]?.(task)) ?? null)
})
process.on('SIGINT', () => process.exit(0))
