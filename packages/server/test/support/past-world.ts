/**
 * An organization with a team, rules that are published for them, and every way to change the rules that apply to them.
 * Each change has a number, so that a random series can be built.
 */
import fc from 'fast-check'
import { toIso } from '../../src/runtime/clock.js'
import { SYSTEM_ORG_ID } from '../../src/runtime/ids.js'
import { type ComplianceApp, recordKey, signUp, teamOf } from './compliance.js'
import { enrol, stepUp } from './organizations.js'
import { ATTRIBUTES, askOfRules, ENTITIES, QUESTIONS_OF_EACH } from './past-questions.js'
import type { Answer, SignedIn } from './sign-in.js'

/** One change: its kind, its object, and its direction. */
export const act = fc.record({
  kind: fc.nat(199),
  at: fc.nat(30),
  other: fc.nat(30),
  flag: fc.boolean(),
  third: fc.nat(2),
  shiftMs: fc.integer({ min: -60, max: 60 }),
  /** The pause after the change. It is often zero, so that several changes happen at the same instant. */
  restMs: fc.constantFrom(0, 0, 1, 9, 40),
})
type Act = typeof act extends fc.Arbitrary<infer A> ? A : never

/** A deleted record that may be restored or purged. */
interface Tomb {
  readonly as: SignedIn | null
  readonly kind: 'rules' | 'policies'
  readonly atMs: number
}
const NO_TOMB: readonly [string, Tomb] = ['', { as: null, kind: 'rules', atMs: 0 }]

type Change = readonly [weight: number, change: (each: Act) => Promise<Answer>]
type Place = { readonly asks: SignedIn; readonly decides: SignedIn }

const NOTHING = { status: 404 } as Answer

const pick = <T>(all: readonly T[], at: number): T | undefined => all[at % Math.max(1, all.length)]

/** The people, what exists, and what was deleted so far. */
interface State {
  readonly kit: ComplianceApp
  readonly name: string
  readonly owner: SignedIn
  readonly places: readonly [Place, Place]
  readonly publisher: SignedIn
  /** Each rule with its author. */
  readonly rules: Map<string, SignedIn>
  readonly published: string[]
  readonly policies: { id: string; as: SignedIn }[]
  readonly exemptions: { id: string; place: Place }[]
  readonly purged: Map<string, number>
  readonly tombs: Map<string, Tomb>
  /** Counter that makes each name unique. */
  names: number
}

async function begin(kit: ComplianceApp, name: string): Promise<State> {
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
  return {
    kit,
    name,
    owner,
    places,
    publisher: { ...kit.root, orgId: SYSTEM_ORG_ID },
    rules: new Map(),
    published: [],
    policies: [],
    exemptions: [],
    purged: new Map(),
    tombs: new Map(),
    names: 0,
  }
}

function draftOf(world: State, { flag, third, other, shiftMs }: Act) {
  const nowMs = world.kit.app.clock.now()
  return {
    name: `r${world.name}${world.names++}`,
    target: other % 5 === 0 ? 'pipeline' : 'plugin',
    severity: (['warning', 'error', 'critical'] as const)[third],
    priority: other,
    field: flag ? 'version' : ['a', 'b'][other % 2],
    operator: flag ? 'neq' : 'exists',
    value: flag ? 'latest' : null,
    ...(other % 4 === 0 ? { effectiveFrom: toIso(nowMs + shiftMs) } : {}),
    ...(other % 4 === 1 ? { effectiveUntil: toIso(nowMs + 30 + shiftMs / 2) } : {}),
  }
}

const own = ({ rules }: State, at: number) => pick([...rules], at)

const confirmed = async ({ kit }: State, as: SignedIn, path: string) =>
  kit.call(as, 'POST', path, undefined, { headers: await stepUp(kit.app, as) })

async function deleted({ kit, tombs }: State, as: SignedIn, kind: Tomb['kind'], id: string): Promise<Answer> {
  const gone = await kit.call(as, 'DELETE', `/${kind}/${id}`)
  if (gone.status === 200) tombs.set(id, { as, kind, atMs: kit.app.clock.now() })
  return gone
}

function ruleChanges(world: State): readonly Change[] {
  const { kit, places, rules, published, policies } = world
  return [
    [
      24,
      async (each) => {
        const { asks: as } = pick(places, each.at) ?? places[0]
        const gate = each.other % 3 === 0 ? (own(world, each.at)?.[0] ?? published[0]) : undefined
        const draft = draftOf(world, each)
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
        const [id, as] = own(world, each.at) ?? []
        if (id === undefined || as === undefined) return NOTHING
        const patch = [
          { isActive: each.flag },
          { isActive: each.flag },
          { mode: (['enforce', 'warn', 'observe'] as const)[each.third], reason: 'rollout' },
          { severity: (['warning', 'error', 'critical'] as const)[each.third] },
          { propagateToChildren: each.flag },
          { effectiveFrom: each.flag ? toIso(kit.app.clock.now() + each.shiftMs) : null },
          { effectiveUntil: each.flag ? toIso(kit.app.clock.now() + each.shiftMs) : null },
          { policyId: each.flag ? null : (policies.find((policy) => policy.as.orgId === as.orgId)?.id ?? null) },
          { priority: each.at },
        ][each.other % 9]
        return kit.call(as, 'PUT', `/rules/${id}`, patch)
      },
    ],
    [
      14,
      async ({ at }) => {
        const [id, as] = own(world, at) ?? []
        return id === undefined || as === undefined ? NOTHING : deleted(world, as, 'rules', id)
      },
    ],
  ]
}

/** Changes that restore and purge what was deleted. */
function tombChanges(world: State): readonly Change[] {
  const { rules, tombs, purged } = world
  return [
    [
      14,
      async ({ at }) => {
        const [id, { as, kind }] = pick([...tombs], at) ?? NO_TOMB
        const back = as === null ? NOTHING : await confirmed(world, as, `/${kind}/${id}/restore`)
        if (back.status === 200) tombs.delete(id)
        return back
      },
    ],
    [
      5,
      async ({ at }) => {
        const [id, { as, kind, atMs }] = pick([...tombs], at) ?? NO_TOMB
        const gone = as === null ? NOTHING : await confirmed(world, as, `/${kind}/${id}/purge`)
        if (gone.status !== 200) return gone
        tombs.delete(id)
        rules.delete(id)
        purged.set(id, atMs)
        return gone
      },
    ],
  ]
}

function policyChanges(world: State): readonly Change[] {
  const { kit, places, rules, policies } = world
  return [
    [
      14,
      async ({ at, other, flag }) => {
        const { asks: as } = pick(places, at) ?? places[0]
        const ruleIds = [...rules].filter(([, { orgId }], index) => orgId === as.orgId && (index + other) % 2 === 0)
        const made = await kit.call(as, 'POST', '/policies', {
          name: `p${world.names++}`,
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
        if (policy === undefined) return NOTHING
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
        return policy === undefined ? NOTHING : deleted(world, policy.as, 'policies', policy.id)
      },
    ],
  ]
}

/** Changes of subscriptions, and of the sets that an account has. */
function subscriptionChanges(world: State): readonly Change[] {
  const { kit, places, published } = world
  return [
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
  ]
}

function publishedChanges(world: State): readonly Change[] {
  const { kit, published, publisher } = world
  return [
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
    [3, ({ at }) => deleted(world, publisher, 'rules', pick(published, at) ?? '')],
  ]
}

function exemptionChanges(world: State): readonly Change[] {
  const { kit, owner, places, rules, published, exemptions } = world
  return [
    [
      12,
      async ({ at, other, flag, shiftMs }) => {
        const place = pick(places, at) ?? places[0]
        const made = await kit.call(place.asks, 'POST', '/exemptions', {
          ruleId: pick([...rules.keys(), ...published], other),
          entityType: 'plugin',
          entityId: ENTITIES[0],
          reason: 'please',
          ...(flag ? { expiresAt: toIso(kit.app.clock.now() + 61 + shiftMs) } : {}),
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
        if (asked === undefined) return NOTHING
        const first = await kit.call(asked.place.decides, 'DELETE', `/exemptions/${asked.id}`)
        return first.status === 200 ? first : kit.call(owner, 'DELETE', `/exemptions/${asked.id}`)
      },
    ],
  ]
}

/** An organization with a team, its own published rules, and two people who decide on each other's exemptions. */
export async function makePastWorld(kit: ComplianceApp, name: string) {
  const world = await begin(kit, name)
  const { places, published, purged, rules } = world
  for (let count = 0; count < 3; count++) {
    const made = await kit.publish({
      ...draftOf(world, { kind: 0, at: 0, other: 3, flag: count !== 1, third: count, shiftMs: 0, restMs: 0 }),
      ...(count === 2 ? { tags: ['set:standard'] } : {}),
    })
    published.push(made.data.rule.id)
  }
  const changes = [
    ruleChanges,
    tombChanges,
    policyChanges,
    subscriptionChanges,
    publishedChanges,
    exemptionChanges,
  ].flatMap((changesOf) => changesOf(world))
  /** Rules whose impact is requested, in a fixed order, so that the n-th question is always the same. */
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
