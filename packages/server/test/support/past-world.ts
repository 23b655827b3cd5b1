/**
 * An organization with a team, rules published for them, and every way to change what they are held to, by number: what a random
 * series is made of.
 */
import fc from 'fast-check'
import { toIso } from '../../src/runtime/clock.js'
import { SYSTEM_ORG_ID } from '../../src/runtime/ids.js'
import { type ComplianceApp, recordKey, signUp, teamOf } from './compliance.js'
import { enrol, stepUp } from './organizations.js'
import { ATTRIBUTES, askOfRules, ENTITIES, QUESTIONS_OF_EACH } from './past-questions.js'
import type { Answer, SignedIn } from './sign-in.js'

/** One change: which, of what, and in which direction. */
export const act = fc.record({
  kind: fc.nat(199),
  at: fc.nat(30),
  other: fc.nat(30),
  flag: fc.boolean(),
  third: fc.nat(2),
  shiftMs: fc.integer({ min: -60, max: 60 }),
  /** How long nothing happens afterwards: often nothing passes, so that several changes share an instant. */
  restMs: fc.constantFrom(0, 0, 1, 9, 40),
})
type Act = typeof act extends fc.Arbitrary<infer A> ? A : never

/** What was deleted and may be restored or purged. */
interface Tomb {
  readonly as: SignedIn | null
  readonly kind: 'rules' | 'policies'
  readonly atMs: number
}
const NO_TOMB: readonly [string, Tomb] = ['', { as: null, kind: 'rules', atMs: 0 }]

/** An organization with a team, published rules of its own, and two people who decide about each other's exemptions. */
export async function makePastWorld(kit: ComplianceApp, name: string) {
  const { clock } = kit.app
  const owner = await signUp(kit.app, `owner${name}`.toLowerCase())
  const team = await teamOf(kit, owner, `Team ${name}`)
  const colleague = { ...(await signUp(kit.app, `colleague${name}`.toLowerCase())), orgId: owner.orgId }
  await enrol(kit.app, colleague, owner.orgId, ['Member', 'Admin'])
  const lead = { ...(await signUp(kit.app, `lead${name}`.toLowerCase())), orgId: team.orgId }
  await enrol(kit.app, lead, team.orgId, ['Member', 'Admin'])
  const places = [
    { asks: colleague, decides: owner },
    { asks: lead, decides: team },
  ] as const
  for (const { asks } of places) {
    for (const [index, id] of ENTITIES.entries()) {
      const target = index === 0 ? 'plugin' : 'pipeline'
      const attributes = ATTRIBUTES[index] ?? {}
      kit.inventory.set(recordKey(asks.orgId, target, id), {
        id,
        name: `e${index}`,
        attributes,
        ownerId: null,
      } as never)
    }
  }
  /** Who wrote each. */
  const rules = new Map<string, SignedIn>()
  const published: string[] = []
  const policies: { id: string; as: SignedIn }[] = []
  const exemptions: { id: string; place: (typeof places)[number] }[] = []
  const purged = new Map<string, number>()
  const tombs = new Map<string, Tomb>()
  const publisher = { ...kit.root, orgId: SYSTEM_ORG_ID }
  let names = 0

  const body = ({ flag, third, other, shiftMs }: Act) => ({
    name: `r${name}${names++}`,
    target: other % 5 === 0 ? 'pipeline' : 'plugin',
    severity: (['warning', 'error', 'critical'] as const)[third],
    priority: other,
    field: flag ? 'version' : ['a', 'b'][other % 2],
    operator: flag ? 'neq' : 'exists',
    value: flag ? 'latest' : null,
    ...(other % 4 === 0 ? { effectiveFrom: toIso(clock.now() + shiftMs) } : {}),
    ...(other % 4 === 1 ? { effectiveUntil: toIso(clock.now() + 30 + shiftMs / 2) } : {}),
  })
  const pick = <T>(all: readonly T[], at: number): T | undefined => all[at % Math.max(1, all.length)]
  const own = (at: number) => pick([...rules], at)
  const confirmed = async (as: SignedIn, path: string) =>
    kit.call(as, 'POST', path, undefined, { headers: await stepUp(kit.app, as) })
  const deleted = async (as: SignedIn, kind: Tomb['kind'], id: string): Promise<Answer> => {
    const gone = await kit.call(as, 'DELETE', `/${kind}/${id}`)
    if (gone.status === 200) tombs.set(id, { as, kind, atMs: clock.now() })
    return gone
  }
  for (let count = 0; count < 3; count++) {
    const made = await kit.publish({
      ...body({ kind: 0, at: 0, other: 3, flag: count !== 1, third: count, shiftMs: 0, restMs: 0 }),
      ...(count === 2 ? { tags: ['set:standard'] } : {}),
    })
    published.push(made.data.rule.id)
  }
  const nothing = { status: 404 } as Answer

  const changes: readonly (readonly [weight: number, change: (each: Act) => Promise<Answer>])[] = [
    [
      24,
      async (each) => {
        const { asks: as } = pick(places, each.at) ?? places[0]
        const gate = each.other % 3 === 0 ? (own(each.at)?.[0] ?? published[0]) : undefined
        const draft = body(each)
        const made = await kit.call(as, 'POST', '/rules', {
          ...draft,
          propagateToChildren: each.at % 3 !== 0,
          mode: (['enforce', 'warn', 'observe', 'enforce'] as const)[each.at % 4],
          ...(gate === undefined
            ? {}
            : {
                conditions: [{ field: draft.field, operator: draft.operator, value: draft.value, dependsOnRule: gate }],
              }),
          ...(each.other % 7 === 0 && policies[0] !== undefined ? { policyId: policies[0].id } : {}),
        })
        if (made.status === 201) rules.set(made.data.rule.id, as)
        return made
      },
    ],
    [
      34,
      async (each) => {
        const [id, as] = own(each.at) ?? []
        if (id === undefined || as === undefined) return nothing
        const patch = [
          { isActive: each.flag },
          { isActive: each.flag },
          { mode: (['enforce', 'warn', 'observe'] as const)[each.third], reason: 'rollout' },
          { severity: (['warning', 'error', 'critical'] as const)[each.third] },
          { propagateToChildren: each.flag },
          { effectiveFrom: each.flag ? toIso(clock.now() + each.shiftMs) : null },
          { effectiveUntil: each.flag ? toIso(clock.now() + each.shiftMs) : null },
          { policyId: each.flag ? null : (policies.find((policy) => policy.as.orgId === as.orgId)?.id ?? null) },
          { priority: each.at },
        ][each.other % 9]
        return kit.call(as, 'PUT', `/rules/${id}`, patch)
      },
    ],
    [
      14,
      async ({ at }) => {
        const [id, as] = own(at) ?? []
        return id === undefined || as === undefined ? nothing : deleted(as, 'rules', id)
      },
    ],
    [
      14,
      async ({ at }) => {
        const [id, { as, kind }] = pick([...tombs], at) ?? NO_TOMB
        const back = as === null ? nothing : await confirmed(as, `/${kind}/${id}/restore`)
        if (back.status === 200) tombs.delete(id)
        return back
      },
    ],
    [
      5,
      async ({ at }) => {
        const [id, { as, kind, atMs }] = pick([...tombs], at) ?? NO_TOMB
        const gone = as === null ? nothing : await confirmed(as, `/${kind}/${id}/purge`)
        if (gone.status !== 200) return gone
        tombs.delete(id)
        rules.delete(id)
        purged.set(id, atMs)
        return gone
      },
    ],
    [
      14,
      async ({ at, other, flag }) => {
        const { asks: as } = pick(places, at) ?? places[0]
        const ruleIds = [...rules].filter(([, { orgId }], index) => orgId === as.orgId && (index + other) % 2 === 0)
        const made = await kit.call(as, 'POST', '/policies', {
          name: `p${names++}`,
          isActive: flag,
          ruleIds: ruleIds.map(([id]) => id),
        })
        if (made.status === 201) policies.push({ id: made.data.policy.id, as })
        return made
      },
    ],
    [
      18,
      async ({ at, other, flag, third }) => {
        const policy = pick(policies, at)
        if (policy === undefined) return nothing
        const ruleIds = [...rules].filter(
          ([, { orgId }], index) => orgId === policy.as.orgId && (index + other) % 3 === 0,
        )
        const path = `/policies/${policy.id}`
        return kit.call(
          policy.as,
          'PUT',
          path,
          third === 0 ? { isActive: flag } : { isActive: flag, ruleIds: ruleIds.map(([id]) => id) },
        )
      },
    ],
    [
      6,
      async ({ at }) => {
        const policy = pick(policies, at)
        return policy === undefined ? nothing : deleted(policy.as, 'policies', policy.id)
      },
    ],
    [
      34,
      async ({ at, other, flag, third }) => {
        const { asks: as } = pick(places, at) ?? places[0]
        const ruleId = pick(published, other) ?? ''
        await kit.call(as, 'POST', '/subscriptions', { ruleId })
        const path = `/subscriptions/${ruleId}`
        const how = (at + other + third) % 7
        if (how < 3) return kit.call(as, 'PATCH', path, { isActive: flag || how > 0 })
        if (how === 3) return kit.call(as, 'PATCH', path, { mode: ['enforce', 'warn', 'observe'][third], reason: 'x' })
        if (how === 4) return kit.call(as, flag ? 'POST' : 'DELETE', `${path}/pin`)
        if (how === 5) return kit.call(as, 'POST', '/subscriptions/bulk', { ruleIds: published, isActive: flag })
        return flag ? kit.call(as, 'DELETE', path) : kit.call(as, 'PATCH', path, { isActive: true, mode: 'enforce' })
      },
    ],
    [
      4,
      ({ at, flag }) =>
        kit.call(kit.root, 'PUT', `/entitlements/${(pick(places, at) ?? places[0]).asks.orgId}`, {
          sets: flag ? ['standard'] : [],
        }),
    ],
    [
      12,
      async ({ at, other, flag, third }) => {
        const id = pick(published, at)
        const patch = [
          { severity: ['warning', 'error', 'critical'][third] },
          { isActive: flag },
          { value: flag ? 'latest' : '1.0.0', field: 'version', operator: 'neq' },
        ][other % 3]
        return kit.call(publisher, 'PUT', `/rules/${id}`, patch)
      },
    ],
    [3, ({ at }) => deleted(publisher, 'rules', pick(published, at) ?? '')],
    [
      12,
      async ({ at, other, flag, shiftMs }) => {
        const place = pick(places, at) ?? places[0]
        const made = await kit.call(place.asks, 'POST', '/exemptions', {
          ruleId: pick([...rules.keys(), ...published], other),
          entityType: 'plugin',
          entityId: ENTITIES[0],
          reason: 'please',
          ...(flag ? { expiresAt: toIso(clock.now() + 61 + shiftMs) } : {}),
        })
        if (made.status !== 201) return made
        const { id } = made.data.exemption
        exemptions.push({ id, place })
        const decided = { status: other % 4 === 0 ? 'rejected' : 'approved' }
        const first = await kit.call(place.decides, 'PUT', `/exemptions/${id}/review`, decided)
        return first.status === 200 ? first : kit.call(owner, 'PUT', `/exemptions/${id}/review`, decided)
      },
    ],
    [
      5,
      async ({ at }) => {
        const asked = pick(exemptions, at)
        if (asked === undefined) return nothing
        const first = await kit.call(asked.place.decides, 'DELETE', `/exemptions/${asked.id}`)
        return first.status === 200 ? first : kit.call(owner, 'DELETE', `/exemptions/${asked.id}`)
      },
    ],
  ]
  /** The rules whose impact is asked for, in a fixed order: the n-th question is always the same. */
  const asked: string[] = []
  const FIXED = places.length * QUESTIONS_OF_EACH

  return {
    async change(each: Act): Promise<Answer> {
      let left = each.kind % changes.reduce((sum, [weight]) => sum + weight, 0)
      for (const [weight, change] of changes) {
        if (left < weight) return change(each)
        left -= weight
      }
      throw new Error('no change')
    },
    purgedUntilMs: () => Math.max(...purged.values(), 0),
    isOfPurgedRule: (index: number) => {
      const id = index < FIXED ? undefined : asked[Math.floor((index - FIXED) / places.length)]
      return id !== undefined && purged.has(id)
    },
    ask(asOf?: string) {
      for (const id of [published[0] ?? '', ...rules.keys()]) {
        if (asked.length < 4 && !asked.includes(id)) asked.push(id)
      }
      return askOfRules(
        kit,
        places.map(({ asks }) => asks),
        asked,
        asOf,
      )
    },
  }
}
