/**
 * One history of what a provider tells, and of it any permutation, with deliveries doubled, lost and replayed: each ends in the state
 * of the one that was told in its order. Both sides are set back between two of them.
 */

import { dispute, end, mark, refund, setEnd } from '../../src/billing/fake/card/billing.js'
import type { StoredEvent } from '../../src/billing/fake/card/state.js'
import type { Engine } from '../world/database.js'
import { openProofDatabase } from '../world/database.js'
import { createRandom, type Random } from '../world/random.js'
import { type CardHolder, CardWorld, DAY_MS, MINUTE_MS, type Outcome } from './card-world.js'
import { differenceOf } from './difference.js'

/** So many orders of each history are tried. */
const ORDERS = 25

export interface Histories {
  readonly told: number
  readonly deliveries: number
  readonly lost: number
}

/** @throws Error that says which order of which seed ends elsewhere, and how */
export async function proveHistories(
  engine: Engine,
  { histories, seed }: { histories: number; seed: number },
): Promise<Histories> {
  const random = createRandom(seed)
  const world = await CardWorld.start(await openProofDatabase(engine))
  const tally = { told: 0, deliveries: 0, lost: 0 }
  try {
    while (tally.told < histories) {
      const account = await begin(world)
      const script = await live(account, random)
      const events = world.card.waiting.splice(0)
      await world.database.remember()
      const back = keepProvider(world)
      let wanted: Outcome | null = null
      let told: Outcome | null = null
      for (let order = 0; order < ORDERS && tally.told < histories; order++) {
        const deliveries = order === 0 ? events : disorder(events, random)
        tally.told++
        tally.deliveries += deliveries.length
        tally.lost += events.filter((event) => !deliveries.includes(event)).length
        for (const event of deliveries) await world.card.deliver(world.fake.signed(event))
        // What has arrived needs no comparison: that is for what is lost.
        const arrived = events.every((event) => deliveries.includes(event)) ? await arrivedOutcome(account) : null
        if (order === 0) told = arrived
        world.card.app.clock.advance(20 * MINUTE_MS)
        await world.settle()
        await world.compare()
        const got = await account.outcome()
        wanted ??= got
        graceAsKnown(got, wanted)
        const early = arrived === null || told === null ? null : differenceOf(arrived, told)
        const differs = early === null ? differenceOf(got, wanted) : `before a comparison, ${early}`
        if (differs !== null) {
          const said = deliveries.map(({ type, id }) => `${id} ${type}`)
          throw new Error(`seed ${seed}, ${script.join(', ')}: ${differs}\n  after ${said.join('\n        ')}`)
        }
        await world.database.restore()
        back()
      }
    }
  } finally {
    await world.close()
  }
  return tally
}

async function begin(world: CardWorld): Promise<CardHolder> {
  const account = await world.account()
  await account.call('POST', '/billing/subscriptions', { planId: 'pro' })
  await account.pay()
  await world.settle()
  const { status } = (await account.subscription()) ?? {}
  if (status !== 'active') throw new Error(`the account begins ${status}`)
  return account
}

/** What happens while nothing is delivered: time, cards, people on both sides. */
async function live(account: CardHolder, random: Random): Promise<string[]> {
  const script: string[] = []
  const steps = 3 + random.below(6)
  for (let step = 0; step < steps; step++) {
    const [name, run] = random.pick(ACTIONS)
    script.push(name)
    await run(account, random)
    await account.later(1000 * (1 + random.below(3)))
    if (random.below(2) === 0) {
      const days = 1 + random.below(35)
      script.push(`${days} days`)
      await account.later(days * DAY_MS)
    }
  }
  return script
}

type Action = (account: CardHolder, random: Random) => Promise<unknown>

const ledgerOf = ({ world }: CardHolder) => world.fake.ledger
const liveAt = (account: CardHolder) => account.atProvider().find(({ endedAt }) => endedAt === null)
const chargeOf = ({ world }: CardHolder) => [...world.fake.state.charges.values()].at(-1)

const ACTIONS: readonly (readonly [string, Action])[] = [
  [
    'the card declines',
    async (account) => {
      const customer = account.customer()
      if (customer !== undefined) customer.card = 'declines'
    },
  ],
  ['the card is good again', (account) => account.pay()],
  ['an attempt is declined', (account) => account.pay('declines')],
  [
    'ends at the provider with the period',
    async (account) => {
      const known = liveAt(account)
      if (known !== undefined) setEnd(ledgerOf(account), known, true)
    },
  ],
  [
    'goes on at the provider',
    async (account) => {
      const known = liveAt(account)
      if (known !== undefined) setEnd(ledgerOf(account), known, false)
    },
  ],
  [
    'ends at the provider',
    async (account, random) => {
      const known = liveAt(account)
      if (known !== undefined && random.below(3) === 0) end(ledgerOf(account), known)
    },
  ],
  [
    'a refund',
    async (account, random) => {
      const charge = chargeOf(account)
      if (charge !== undefined) refund(ledgerOf(account), charge, 1 + random.below(charge.cents))
    },
  ],
  [
    'a dispute',
    async (account) => {
      const charge = chargeOf(account)
      if (charge !== undefined) dispute(ledgerOf(account), charge)
    },
  ],
  [
    'an invoice is given up',
    async (account, random) => {
      const open = [...account.world.fake.state.invoices.values()].find(({ status }) => status === 'open')
      if (open !== undefined) mark(ledgerOf(account), open, random.pick(['void', 'uncollectible'] as const))
    },
  ],
  ['nothing', async () => undefined],
]

/** Shuffled, doubled, and some of it lost. */
function disorder(events: readonly StoredEvent[], random: Random): StoredEvent[] {
  const share = random.below(3)
  return events
    .flatMap((event) => {
      if (random.below(6) < share) return []
      return random.below(3) === 0 ? [event, event] : [event]
    })
    .map((event) => ({ event, at: random.next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ event }) => event)
}

/** As it is without asking the provider of its own accord. */
async function arrivedOutcome(account: CardHolder): Promise<Outcome> {
  await account.world.settle(false)
  return account.outcome()
}

/** The days of grace begin when it is known here that a payment failed: later by the time in which a loss is found. */
function graceAsKnown(got: Outcome, wanted: Outcome): void {
  got.subscriptions.forEach((row, at) => {
    const [ends, first] = [Number(row['grace_ends_at_ms']), Number(wanted.subscriptions[at]?.['grace_ends_at_ms'])]
    if (first > 0 && ends >= first && ends <= first + FOUND_WITHIN_MS)
      row['grace_ends_at_ms'] = wanted.subscriptions[at]?.['grace_ends_at_ms']
  })
}

const FOUND_WITHIN_MS = 60 * MINUTE_MS

/** @returns what brings the provider back to where it is now. */
function keepProvider({ fake, card }: CardWorld): () => void {
  const { state } = fake
  const maps = [state.subscriptions, state.customers, state.invoices, state.charges] as Map<string, object>[]
  const lists = [state.events, state.balanceRows] as object[][]
  const kept = structuredClone({ maps, lists, nextId: state.nextId })
  const nowMs = card.app.clock.now()
  return () => {
    const again = structuredClone(kept)
    maps.forEach((map, at) => {
      map.clear()
      for (const [id, each] of again.maps[at] ?? []) map.set(id, each)
    })
    lists.forEach((list, at) => {
      list.splice(0, list.length, ...(again.lists[at] ?? []))
    })
    state.nextId = again.nextId
    fake.forgetKeys()
    card.waiting.length = 0
    card.app.clock.set(nowMs)
  }
}
