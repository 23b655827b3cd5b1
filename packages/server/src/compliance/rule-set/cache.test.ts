/** Goal: a rule set is compiled once and used while it is current, in every replica, and never longer. */
import { expect, it } from 'vitest'
import { noLatest, signUp, teamOf } from '../../../test/support/compliance.js'
import { describeCompliance } from '../../../test/support/describe-compliance.js'
import { WITH_POSTGRESQL } from '../../../test/support/describe-stores.js'
import type { SignedIn } from '../../../test/support/sign-in.js'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import { type Held, stampRules } from '../rule-stamp.js'
import { createRuleSets, type RuleSets } from './cache.js'
import { loadRules } from './load.js'

const TTL_MS = 60_000

await describeCompliance('compiled rule sets', { stores: WITH_POSTGRESQL }, (kit, database) => {
  let ada: SignedIn
  let people = 0
  const newcomer = async () => {
    people += 1
    ada = await signUp(kit.app, `ada${people}`)
    return ada
  }
  const heldOf = ({ orgId }: SignedIn, parentOrgId: string | null = null): Held => ({ orgId, parentOrgId })
  /** The cache of one replica, with a counter of how often it loaded rules. */
  function replica({
    rulesMax = 1000,
    during = async () => {},
  }: {
    rulesMax?: number
    during?: () => Promise<void>
  } = {}) {
    const counts = { loads: 0 }
    const ruleSets = createRuleSets({
      clock: kit.app.clock,
      ttlMs: TTL_MS,
      rulesMax,
      regexLengthMax: 100,
      load: async (db, held, target) => {
        counts.loads += 1
        const merged = await loadRules(db, held, target)
        await during()
        return merged
      },
    })
    const names = (held: Held, sets: RuleSets = ruleSets): Promise<string[]> =>
      kit.store
        .tenant({ orgId: held.orgId, readableOrgIds: [held.parentOrgId ?? SYSTEM_ORG_ID, SYSTEM_ORG_ID] })
        .read(async (db) => (await sets.get(db, held, 'plugin')).ruleSet.rules.map(({ name }) => name))
    return { counts, names }
  }

  it('64 first checks at once read the rules once', async () => {
    const held = heldOf(await newcomer())
    await kit.call(ada, 'POST', '/rules', noLatest('one'))
    const { counts, names } = replica({ during: () => new Promise((resolve) => setTimeout(resolve, 20)) })
    const found = await Promise.all(Array.from({ length: 64 }, () => names(held)))
    expect(found).toEqual(Array.from({ length: 64 }, () => ['one']))
    expect(counts.loads).toBe(1)
    await names(held)
    expect(counts.loads).toBe(1)
  })

  it('a load that fails is not kept, and the next one is made', async () => {
    const held = heldOf(await newcomer())
    await kit.call(ada, 'POST', '/rules', noLatest('one'))
    let isBroken = true
    const { counts, names } = replica({
      during: async () => {
        if (isBroken) throw new Error('the connection is lost')
      },
    })
    await expect(names(held)).rejects.toThrow('the connection is lost')
    isBroken = false
    expect(await names(held)).toEqual(['one'])
    expect(counts.loads).toBe(2)
  })

  it('are read again after the time to live, and after the clock has stepped back', async () => {
    const held = heldOf(await newcomer())
    const { counts, names } = replica()
    await names(held)
    kit.app.clock.advance(TTL_MS - 1)
    await names(held)
    expect(counts.loads).toBe(1)
    kit.app.clock.advance(1)
    await names(held)
    expect(counts.loads).toBe(2)
    kit.app.clock.advance(-1)
    await names(held)
    expect(counts.loads).toBe(3)
    kit.app.clock.advance(1 - TTL_MS)
  })

  it('of those that are too many the one used longest ago goes', async () => {
    const some = [heldOf(await newcomer()), heldOf(await newcomer()), heldOf(await newcomer())] as const
    const { counts, names } = replica({ rulesMax: 2 })
    for (const held of [some[0], some[1], some[0], some[2], some[0]]) await names(held)
    expect(counts.loads).toBe(3)
    await names(some[1])
    expect(counts.loads).toBe(4)
  })

  it('what changes through one replica holds in another at once: own, parent, published, policy, subscription', async () => {
    const owner = await newcomer()
    const team = await teamOf(kit, owner, `Team ${people}`)
    const home = heldOf(owner)
    const below = heldOf(team, owner.orgId)
    // The app is one replica; this is another, which gets no notice of the change.
    const { names } = replica()
    const seen = async () => [await names(home), await names(below)]
    expect(await seen()).toEqual([[], []])
    const made = await kit.call(owner, 'POST', '/rules', noLatest('own'))
    const { id } = made.data.rule
    expect(await seen()).toEqual([['own'], []])
    await kit.call(owner, 'PUT', `/rules/${id}`, { propagateToChildren: true })
    expect(await seen()).toEqual([['own'], ['own']])
    const policy = await kit.call(owner, 'POST', '/policies', { name: `p${people}`, ruleIds: [id], isActive: false })
    expect(await seen()).toEqual([[], []])
    await kit.call(owner, 'DELETE', `/policies/${policy.data.policy.id}`)
    expect(await seen()).toEqual([['own'], ['own']])
    const published = (await kit.publish(noLatest(`published ${people}`))).data.rule
    await kit.call(team, 'POST', '/subscriptions', { ruleId: published.id })
    expect(await seen()).toEqual([['own'], ['own']])
    await kit.call(team, 'PATCH', `/subscriptions/${published.id}`, { isActive: true })
    expect(await seen()).toEqual([['own'], ['own', published.name]])
    const system = { headers: { 'x-org-id': SYSTEM_ORG_ID } }
    await kit.call(kit.root, 'PUT', `/rules/${published.id}`, { name: `renamed ${people}` }, system)
    expect(await seen()).toEqual([['own'], ['own', `renamed ${people}`]])
    await kit.call(kit.root, 'DELETE', `/rules/${published.id}`, undefined, system)
    await kit.call(owner, 'DELETE', `/rules/${id}`)
    expect(await seen()).toEqual([[], []])
  })

  // PGlite has a single session: while one request reads, no other writes.
  if (database !== 'PGlite') {
    it('rules that change while they are read are read again, so that no set is of two moments', async () => {
      const held = heldOf(await newcomer())
      await kit.call(ada, 'POST', '/rules', noLatest('one'))
      let changes = 2
      const { counts, names } = replica({
        during: async () => {
          if (changes-- <= 0) return
          await kit.store.system.write((tx) => stampRules(tx, held.orgId), 'test')
        },
      })
      expect(await names(held)).toEqual(['one'])
      expect(counts.loads).toBe(3)
      // The rules change faster than they can be read: a refusal is better than a verdict by rules that never applied.
      changes = 1000
      const hasty = replica({ during: () => kit.store.system.write((tx) => stampRules(tx, held.orgId), 'test') })
      await expect(hasty.names(held)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    })
  }
})
