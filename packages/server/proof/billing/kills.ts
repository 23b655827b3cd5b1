/**
 * A process that is killed in each job, in each delivery and between the two transactions of a call: afterwards the request is sent
 * again under its key, the deliveries come again, and the account is what it is without a kill.
 */
import { spawn } from 'node:child_process'
import { BILLING_JOBS } from '../../src/billing/operations.js'
import { bundle } from '../bundle.js'
import type { Engine } from '../world/database.js'
import { openProofDatabase } from '../world/database.js'
import { createRandom, type Random } from '../world/random.js'
import { type CardHolder, CardWorld, DAY_MS, MINUTE_MS } from './card-world.js'
import { wrongWith } from './faults.js'

interface Step {
  readonly method: string
  readonly path: string
  readonly body: object
}

/** What the process that dies is told. */
export interface Killed {
  readonly place: string
  readonly settings: Readonly<Record<string, string>>
  readonly nowMs: number
  readonly accessToken: string
  readonly key: string
  readonly step: Step | null
  readonly deliveries: readonly { readonly body: string; readonly signature: string }[]
  readonly jobs: readonly string[]
  /** At which moment of its transactions. */
  readonly killAt: number
}

const MOMENTS_MAX = 14
/** Of a delivery: its claim and its effect, each before and after its commit. */
const MOMENTS_A_DELIVERY = 4
const JOBS = BILLING_JOBS.map(({ kind }) => kind)

/** @throws Error that says which kill of which seed left what */
export async function proveKills(
  engine: Engine,
  { kills, seed }: { kills: number; seed: number },
): Promise<{ died: number; finished: number }> {
  const random = createRandom(seed)
  const world = await CardWorld.start(await openProofDatabase(engine))
  const worker = await bundle('proof/billing/kill-worker.ts')
  const tally = { died: 0, finished: 0 }
  try {
    await world.asRoot('POST', '/billing/admin/discounts', { code: '15:dollar:onetime', alias: 'KILLS' })
    for (let run = 0; tally.died < kills; run++) {
      const account = await begin(world)
      const killed = await planOf(account, random, run)
      const signal = await runWorker(worker.file, killed)
      tally[signal === 'SIGKILL' ? 'died' : 'finished']++
      // Leases end before another process takes anything over.
      world.card.app.clock.advance(6 * MINUTE_MS)
      if (killed.step !== null) {
        await account.again()
        const { method, path, body } = killed.step
        await account.call(method, path, body, { 'idempotency-key': killed.key })
      }
      // What was in hand comes to its end by itself: a comparison with the provider finds nothing that is left to do.
      await account.settle(false)
      const left = (await wrongWith(account)) ?? (await wrongAfter(account, killed))
      await account.settle()
      await account.settle()
      const wrong = left ?? (await wrongWith(account)) ?? (await wrongAfter(account, killed))
      if (wrong !== null) {
        throw new Error(`seed ${seed}, run ${run}, ${JSON.stringify(killed.step)} killed at ${killed.killAt}: ${wrong}`)
      }
    }
  } finally {
    worker.clean()
    await world.close()
  }
  return tally
}

async function begin(world: CardWorld): Promise<CardHolder> {
  const account = await world.account()
  await account.call('POST', '/billing/subscriptions', { planId: 'pro' })
  await account.pay()
  await account.settle()
  return account
}

async function planOf(account: CardHolder, random: Random, run: number): Promise<Killed> {
  const { world } = account
  const { id } = await account.subscription()
  const at = `/billing/subscriptions/${id}`
  const steps: readonly (Step | null)[] = [
    { method: 'PUT', path: at, body: { planId: 'team' } },
    { method: 'POST', path: `${at}/addons`, body: { bundleId: 'pipeline_pack', quantity: 2 } },
    { method: 'POST', path: `${at}/discounts`, body: { code: 'KILLS' } },
    null,
  ]
  const step = steps[run % steps.length] ?? null
  // A renewal happens at the provider, and its deliveries come to the process that dies.
  if (step === null) await account.later(32 * DAY_MS)
  // Of some renewals nothing but the payment is told, so that no other delivery makes up for it.
  const isAlone = step === null && run % 8 === 7
  if (isAlone)
    world.card.waiting.splice(0, Infinity, ...world.card.waiting.filter(({ type }) => type === 'invoice.paid'))
  const told = world.card.waiting.map((event) => world.fake.signed(event))
  const jobs = [...JOBS].sort(() => random.next() - 0.5)
  return {
    place: world.database.place,
    settings: { CARD_PROVIDER_API_URL: world.fake.state.pagesAt },
    nowMs: world.card.app.clock.now(),
    accessToken: account.person.accessToken,
    key: `kill-${run}-${random.below(1_000_000)}`,
    step,
    deliveries: told,
    jobs,
    killAt: 1 + random.below((isAlone ? 0 : MOMENTS_MAX) + MOMENTS_A_DELIVERY * told.length),
  }
}

function runWorker(file: string, killed: Killed): Promise<NodeJS.Signals | null> {
  const child = spawn(process.execPath, [file, JSON.stringify(killed)], { stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    said += chunk
  })
  return new Promise((resolve, reject) => {
    child.on('exit', (code, signal) => {
      if (code !== null && code !== 0) reject(new Error(`the worker ended with ${code}: ${said.slice(0, 2000)}`))
      else resolve(signal)
    })
  })
}

async function wrongAfter(account: CardHolder, { step }: Killed): Promise<string | null> {
  const { planId, addons, creditBalanceCents } = await account.subscription()
  const { invoices } = (await account.call('GET', '/billing/invoices?limit=200')).data
  const [here, there] = [invoices, [...account.world.fake.state.invoices.values()]].map((all) =>
    all
      .map(({ status }: { status: string }) => status)
      .sort()
      .join(),
  )
  if (here !== there) return `invoices: here ${here}, there ${there}`
  if (step === null) return null
  const wanted: Record<string, unknown> = step.body as Record<string, unknown>
  if ('planId' in wanted) return planId === wanted['planId'] ? null : `the plan is ${planId}`
  if ('code' in wanted) return creditBalanceCents === 1500 ? null : `the credit is ${creditBalanceCents}`
  return JSON.stringify(addons) === JSON.stringify([step.body]) ? null : `the add-ons are ${JSON.stringify(addons)}`
}
