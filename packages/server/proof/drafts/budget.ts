/**
 * A month's budget of tokens, asked by many at once through two apps on one database, of which one has times so short that some
 * questions end unknown: it is never passed, and it ends to the token.
 */
import { eq } from 'drizzle-orm'
import { aiTables } from '../../src/ai/tables.js'
import { type SignedIn, signUp } from '../../test/support/sign-in.js'
import type { Random } from '../world/random.js'
import { KEY, settled, type World } from './world.js'

const AT_ONCE = 8
const HOLDS_MAX = 4
const EXCEEDED = 'AI_BUDGET_EXCEEDED'
const BODY = { prompt: 'node service', provider: 'openai' }

interface Refused {
  readonly monthlyTokens: number
  readonly tokens: { readonly spent: number; readonly held: number }
  readonly wanted: { readonly tokens: number }
}

/** @returns how many questions were answered, and how many the budget refused. */
export async function proveBudget(world: World, races: number, random: Random): Promise<{ in: number; out: number }> {
  const counts = { in: 0, out: 0 }
  for (let n = 0; n < races; n++) {
    const name = `budget ${n}`
    const { app, fail } = world
    const person = await signUp(app, `spender${n}`)
    await limit(world, person, { openai: KEY, monthlyTokens: 1 })
    const first = await asks(world, person, 'app')
    const wanted = first.refused?.wanted.tokens
    if (wanted === undefined) {
      fail(`${name}: a budget of one token answered ${first.code}`)
      continue
    }
    const monthlyTokens = wanted * (1 + random.below(HOLDS_MAX)) + random.below(wanted)
    await limit(world, person, { monthlyTokens })
    const answers = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, at) => asks(world, person, at % 2 === 0 ? 'app' : 'hasty')),
    )
    for (const { status, code, refused } of answers) {
      if (status === 200) counts.in++
      else if (code !== EXCEEDED && code !== 'UPSTREAM_TIMEOUT' && code !== 'REQUEST_TIMEOUT')
        fail(`${name}: answered ${status} ${code}`)
      if (refused === null) continue
      counts.out++
      const { tokens } = refused
      if (refused.monthlyTokens !== monthlyTokens) fail(`${name}: refused by a budget of ${refused.monthlyTokens}`)
      if (tokens.spent + tokens.held + refused.wanted.tokens <= monthlyTokens)
        fail(`${name}: refused although there was room: ${JSON.stringify(refused)}`)
    }
    await settled(world, name, person)
    const spent = await spentOf(world, person)
    if (spent > monthlyTokens) fail(`${name}: ${spent} tokens are spent of ${monthlyTokens}`)
    // One token too few, and just enough.
    await limit(world, person, { monthlyTokens: spent + wanted - 1 })
    const short = await asks(world, person, 'app')
    if (short.code !== EXCEEDED) fail(`${name}: one token too few answered ${short.status} ${short.code}`)
    await limit(world, person, { monthlyTokens: spent + wanted })
    const enough = await asks(world, person, 'app')
    if (enough.status !== 200) fail(`${name}: just enough answered ${enough.status} ${enough.code}`)
    await settled(world, name, person)
  }
  return counts
}

async function limit({ app, fail }: World, as: SignedIn, body: object): Promise<void> {
  const set = await app.call('PUT', '/organization/ai-config', { as, body })
  if (set.status !== 200) fail(`a budget was not set: ${JSON.stringify(set.body)}`)
}

async function asks(world: World, as: SignedIn, which: 'app' | 'hasty') {
  const { status, code, body } = await world[which].call('POST', '/pipelines/generate', { as, body: BODY })
  const refused = code === EXCEEDED ? (body.details.budget as Refused) : null
  return { status, code, refused }
}

const spentOf = ({ store }: World, { orgId }: SignedIn): Promise<number> =>
  store.system.read(async (db) => {
    const { aiSpend: t } = aiTables(db)
    const rows = await db.select({ tokens: t.spentTokens }).from(t).where(eq(t.orgId, orgId))
    return rows.reduce((sum, { tokens }) => sum + tokens, 0)
  })
