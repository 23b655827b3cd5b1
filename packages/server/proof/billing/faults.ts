/**
 * The provider fails in every way at any step of the network, while an account subscribes, pays, changes, redeems and ends: in the end
 * there are one customer and one subscription, each credit is there once, and both sides say the same.
 */
import { FAULT_KINDS } from '../../src/billing/fake/card/faults.js'
import type { Engine } from '../world/database.js'
import { openProofDatabase } from '../world/database.js'
import { createRandom, type Random } from '../world/random.js'
import { type CardHolder, CardWorld, DAY_MS } from './card-world.js'

const CREDIT_CENTS = 1500
/** Long before the provider forgets a key: what is only done then was sent under a key that had failed. */
const OPEN_HOURS_MAX = 12

/** @throws Error that says under which faults of which seed, and what is wrong */
export async function proveFaults(
  engine: Engine,
  { faults, seed }: { faults: number; seed: number },
): Promise<{ schedules: number; failed: number }> {
  const random = createRandom(seed)
  const world = await CardWorld.start(await openProofDatabase(engine))
  let failed = 0
  try {
    const code = { code: `${CREDIT_CENTS / 100}:dollar:onetime`, alias: 'FAULTS' }
    await world.asRoot('POST', '/billing/admin/discounts', code)
    for (let run = 0; run < faults; run++) {
      const account = await world.account()
      const schedule = Array.from({ length: 1 + random.below(4) }, () => faultOf(random, run))
      for (const each of schedule) world.fake.faults.add(each)
      await live(account, random)
      failed += schedule.length
      world.fake.faults.clear()
      await account.settle()
      await account.settle()
      const wrong = await wrongWith(account, false)
      if (wrong !== null) throw new Error(`seed ${seed}, run ${run}, ${JSON.stringify(schedule)}: ${wrong}`)
    }
  } finally {
    await world.close()
  }
  return { schedules: faults, failed }
}

/** Each step of the network is first once in a while: the number of requests before it goes on with the runs. */
function faultOf(random: Random, run: number) {
  const kind = random.pick(FAULT_KINDS.filter((each) => each !== 'delay'))
  return { kind, after: random.below(2) === 0 ? run % 24 : random.below(6), times: 1 + random.below(2) }
}

async function live(account: CardHolder, random: Random): Promise<void> {
  await account.call('POST', '/billing/subscriptions', { planId: 'pro' })
  await account.settle(false)
  await account.pay()
  await account.settle(false)
  const { id } = (await account.subscription()) ?? {}
  if (id === undefined) return
  const at = `/billing/subscriptions/${id}`
  const steps: (() => Promise<unknown>)[] = [
    () => account.call('POST', `${at}/discounts`, { code: 'FAULTS' }),
    () => account.call('PUT', at, { planId: 'team' }),
    () => account.call('POST', `${at}/addons`, { bundleId: 'pipeline_pack', quantity: 1 + random.below(3) }),
    () => account.call('PUT', at, { interval: 'annual' }),
    () => account.later(32 * DAY_MS),
  ]
  for (const step of steps.filter(() => random.below(3) > 0)) {
    await step()
    await account.settle(false)
  }
}

interface Held {
  readonly planId: string
  readonly interval: string
  readonly addons: readonly { readonly bundleId: string; readonly quantity: number }[]
}

export async function wrongWith(account: CardHolder, mayBeSlow = true): Promise<string | null> {
  const { world } = account
  const { state } = world.fake
  const shown = await account.subscription()
  const customers = [...state.customers.values()]
  const held = account.atProvider().filter(({ status }) => status !== 'canceled' && status !== 'incomplete_expired')
  if (customers.length !== 1 || held.length !== 1) return `${customers.length} customers, ${held.length} subscriptions`
  const [customer, sub] = [customers[0], held[0]]
  if (sub === undefined || shown === null) return 'there is no subscription here'
  const open = await world.database.rows(
    `SELECT kind FROM billing_provider_calls WHERE org_id = '${account.person.orgId}' AND state IN ('queued', 'sent', 'unknown')`,
  )
  if (open.length > 0) return `a call stays open: ${JSON.stringify(open)}`
  const slow = await world.database.rows(
    `SELECT kind, (updated_at_ms - created_at_ms) / 3600000 AS hours FROM billing_provider_calls WHERE org_id = '${account.person.orgId}' AND updated_at_ms - created_at_ms > ${OPEN_HOURS_MAX * 3_600_000}`,
  )
  if (!mayBeSlow && slow.length > 0) return `a call was open for long: ${JSON.stringify(slow)}`
  const refs = state.balanceRows.map(({ metadata }) => JSON.stringify(metadata))
  if (new Set(refs).size !== refs.length) return `credit was given twice: ${refs.join(' ')}`
  const then: Held = shown.pendingChange ?? shown
  const wanted = [{ bundleId: then.planId, quantity: 1 }, ...then.addons].map(
    ({ bundleId, quantity }) => `${quantity} price_${bundleId}_${then.interval}`,
  )
  const items = sub.items.map(({ price, quantity }) => `${quantity} ${price}`)
  const pairs: readonly (readonly [string, unknown, unknown])[] = [
    // Another interval that waits is a trial there; everything that waits is there at once.
    ['status', shown.status, sub.metadata['plumbline_waits'] === undefined ? sub.status : 'active'],
    ['items', wanted.sort(), items.sort()],
    ['period', Date.parse(shown.currentPeriodEnd), sub.periodEnd * 1000],
    ['credit', shown.creditBalanceCents, 0 - Math.min(0, customer?.balance ?? 0)],
  ]
  const wrong = pairs.find(([, here, there]) => JSON.stringify(here) !== JSON.stringify(there))
  return wrong === undefined ? null : `${wrong[0]}: here ${JSON.stringify(wrong[1])}, there ${JSON.stringify(wrong[2])}`
}
