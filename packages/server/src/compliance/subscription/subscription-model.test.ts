/**
 * Goal: after any sequence of actions of people, billing, onboarding and the publisher, a subscription is in the state
 * of its table, and the enforced rules follow from it. The model is the tables of spec compliance 6 and 7.
 */
import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { type ComplianceApp, noLatest, signUp, unlock } from '../../../test/support/compliance.js'
import { describeCompliance } from '../../../test/support/describe-compliance.js'
import { BOTH_DATABASES } from '../../../test/support/describe-stores.js'
import { stepUp } from '../../../test/support/organizations.js'
import type { SignedIn } from '../../../test/support/sign-in.js'
import { complianceRows } from '../../../test/support/table-rows.js'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'

const SET_OF = { free: null, basic: 'standard', plus: 'advanced', both: 'advanced' } as const
type Name = keyof typeof SET_OF
const NAMES = Object.keys(SET_OF) as Name[]
const TAGS: Record<Name, string[]> = {
  free: [],
  basic: ['set:standard'],
  plus: ['set:advanced'],
  both: ['set:standard', 'set:advanced'],
}
type SetName = 'standard' | 'advanced'
const SYSTEM = { headers: { 'x-org-id': SYSTEM_ORG_ID } }

/** Published rules outlive a run: every organization sees the same ones. */
interface Published {
  readonly id: string
  version: number
  isDeleted: boolean
}

interface Row {
  isActive: boolean
  pinned: number | null
  source: 'manual' | 'auto' | 'entitlement'
  mode: 'enforce' | 'observe'
  optedOut: boolean
  hasEnded: boolean
}

class Model {
  readonly rows = new Map<Name, Row>()
  features: SetName[] = []
  held: SetName[] = []
  watermark = 0
  live = (name: Name): Row | undefined => {
    const row = this.rows.get(name)
    return row?.hasEnded === false ? row : undefined
  }
  mayHave = (name: Name): boolean => {
    const set = SET_OF[name]
    return set === null || this.features.includes(set)
  }
}

interface Real {
  readonly kit: ComplianceApp
  readonly as: SignedIn
  readonly rules: Record<Name, Published>
}

const fresh = (source: Row['source'], isActive = false): Row => ({
  ...{ isActive, source, pinned: null, mode: 'enforce', optedOut: false, hasEnded: false },
})

abstract class Step implements fc.AsyncCommand<Model, Real> {
  check = () => true
  /** Applies the step to the model. @returns the expected answer, and whether the server must change anything. */
  abstract expected(model: Model, real: Real): { status: number; changes: boolean; data?: object }
  abstract ask(real: Real): ReturnType<ComplianceApp['call']>

  async run(model: Model, real: Real): Promise<void> {
    const { kit, as, rules } = real
    const { store } = kit.app.runtime
    const { status, changes, data } = this.expected(model, real)
    const before = changes ? null : await complianceRows(store)
    const answer = await this.ask(real)
    expect(answer.status, JSON.stringify(answer.body)).toBe(status)
    if (status >= 400)
      expect(answer.code).toBe({ 400: 'VALIDATION_ERROR', 403: 'INSUFFICIENT_PERMISSIONS', 404: 'NOT_FOUND' }[status])
    if (data !== undefined) expect(answer.data).toMatchObject(data)
    if (before !== null) expect(await complianceRows(store)).toEqual(before)
    const listed = (await kit.call(as, 'GET', '/subscriptions')).data.subscriptions as Record<string, unknown>[]
    const shown = NAMES.flatMap((name) => {
      const found = listed.find(({ ruleId }) => ruleId === rules[name].id)
      if (found === undefined) return []
      const { isActive, pinnedVersion, source, mode, optedOut, isPinned } = found
      expect(isPinned).toBe(pinnedVersion !== null)
      return [{ name, isActive, pinned: pinnedVersion, source, mode, optedOut }]
    })
    expect(shown).toEqual(
      NAMES.flatMap((name) => {
        const row = model.live(name)
        if (row === undefined) return []
        const { hasEnded: _, ...rest } = row
        return [{ name, ...rest }]
      }),
    )
    const enforced = (await kit.call(as, 'GET', '/subscriptions/enforced')).data.rules as Record<string, unknown>[]
    expect(enforced.map(({ id, version, mode, source }) => ({ id, version, mode, source })).sort(byId)).toEqual(
      NAMES.flatMap((name) => {
        const row = model.live(name)
        const rule = rules[name]
        if (row?.isActive !== true || rule.isDeleted) return []
        return [{ id: rule.id, version: row.pinned ?? rule.version, mode: row.mode, source: 'subscribed' }]
      }).sort(byId),
    )
  }
}
const byId = (a: { id?: unknown }, b: { id?: unknown }) => (String(a.id) < String(b.id) ? -1 : 1)

class Subscribe extends Step {
  constructor(readonly name: Name) {
    super()
  }
  expected(model: Model, { rules }: Real) {
    if (rules[this.name].isDeleted) return { status: 404, changes: false }
    if (!model.mayHave(this.name)) return { status: 403, changes: false }
    if (model.live(this.name) !== undefined) return { status: 200, changes: false }
    model.rows.set(this.name, fresh('manual'))
    return { status: 201, changes: true }
  }
  ask = ({ kit, as, rules }: Real) => kit.call(as, 'POST', '/subscriptions', { ruleId: rules[this.name].id })
  override toString = () => `subscribe to ${this.name}`
}

class Switch extends Step {
  constructor(
    readonly name: Name,
    readonly isActive: boolean,
  ) {
    super()
  }
  expected(model: Model) {
    const row = model.live(this.name)
    if (row === undefined) return { status: 404, changes: false }
    if (row.isActive === this.isActive) return { status: 200, changes: false }
    if (this.isActive && !model.mayHave(this.name)) return { status: 403, changes: false }
    Object.assign(row, { isActive: this.isActive, optedOut: !this.isActive && SET_OF[this.name] !== null })
    return { status: 200, changes: true }
  }
  ask = ({ kit, as, rules }: Real) =>
    kit.call(as, 'PATCH', `/subscriptions/${rules[this.name].id}`, { isActive: this.isActive })
  override toString = () => `${this.name} ${this.isActive ? 'on' : 'off'}`
}

class Rollout extends Step {
  constructor(
    readonly name: Name,
    readonly mode: Row['mode'],
    readonly hasReason: boolean,
  ) {
    super()
  }
  expected(model: Model) {
    const row = model.live(this.name)
    if (row === undefined) return { status: 404, changes: false }
    if (row.mode === this.mode) return { status: 200, changes: false }
    if (row.mode === 'enforce' && !this.hasReason) return { status: 400, changes: false }
    row.mode = this.mode
    return { status: 200, changes: true }
  }
  ask = ({ kit, as, rules }: Real) =>
    kit.call(as, 'PATCH', `/subscriptions/${rules[this.name].id}`, {
      mode: this.mode,
      ...(this.hasReason ? { reason: 'rollout' } : {}),
    })
  override toString = () => `${this.name}: ${this.mode}${this.hasReason ? '' : ' without a reason'}`
}

class Pin extends Step {
  constructor(
    readonly name: Name,
    readonly isPin: boolean,
  ) {
    super()
  }
  expected(model: Model, { rules }: Real) {
    const row = model.live(this.name)
    const rule = rules[this.name]
    if (row === undefined || (this.isPin && rule.isDeleted)) return { status: 404, changes: false }
    const pinned = this.isPin ? rule.version : null
    if (row.pinned === pinned) return { status: 200, changes: false }
    row.pinned = pinned
    return { status: 200, changes: true }
  }
  ask = ({ kit, as, rules }: Real) =>
    kit.call(as, this.isPin ? 'POST' : 'DELETE', `/subscriptions/${rules[this.name].id}/pin`)
  override toString = () => `${this.isPin ? 'pin' : 'unpin'} ${this.name}`
}

class Leave extends Step {
  constructor(readonly name: Name) {
    super()
  }
  expected(model: Model) {
    const row = model.live(this.name)
    if (row === undefined) return { status: 404, changes: false }
    Object.assign(row, { isActive: false, pinned: null, hasEnded: true, optedOut: SET_OF[this.name] !== null })
    return { status: 200, changes: true }
  }
  ask = ({ kit, as, rules }: Real) => kit.call(as, 'DELETE', `/subscriptions/${rules[this.name].id}`)
  override toString = () => `leave ${this.name}`
}

class Bulk extends Step {
  constructor(
    readonly names: readonly Name[],
    readonly isActive: boolean,
  ) {
    super()
  }
  expected(model: Model, { rules }: Real) {
    if (this.isActive && this.names.some((name) => !model.mayHave(name))) return { status: 403, changes: false }
    const live = this.names.filter((name) => model.live(name) !== undefined)
    const due = live.filter((name) => model.live(name)?.isActive !== this.isActive)
    for (const name of due) {
      const optedOut = !this.isActive && SET_OF[name] !== null
      Object.assign(model.rows.get(name) as Row, { isActive: this.isActive, optedOut })
    }
    const notFound = this.names.filter((name) => !live.includes(name)).map((name) => rules[name].id)
    return {
      status: 200,
      changes: due.length > 0,
      data: { requested: this.names.length, updated: due.length, notFound, failed: notFound.length },
    }
  }
  ask = ({ kit, as, rules }: Real) =>
    kit.call(as, 'POST', '/subscriptions/bulk', {
      ruleIds: this.names.map((name) => rules[name].id),
      isActive: this.isActive,
    })
  override toString = () => `${this.names} ${this.isActive ? 'on' : 'off'} at once`
}

class Onboard extends Step {
  expected(model: Model, { rules }: Real) {
    const live = NAMES.filter((name) => !rules[name].isDeleted)
    const due = live.filter((name) => !model.rows.has(name))
    for (const name of due) model.rows.set(name, fresh('auto'))
    const data = { subscribed: due.length, skipped: live.length - due.length }
    return { status: 200, changes: due.length > 0, data }
  }
  ask = ({ kit, as }: Real) =>
    kit.call(kit.root, 'POST', '/subscriptions/auto-subscribe', undefined, { headers: { 'x-org-id': as.orgId } })
  override toString = () => 'onboarding'
}

class Push extends Step {
  constructor(
    readonly sets: readonly string[],
    readonly at: number | null,
  ) {
    super()
  }
  expected(model: Model, { rules }: Real) {
    const known = (['standard', 'advanced'] as const).filter((set) => this.sets.includes(set))
    const held = known.includes('standard') ? known : []
    const ignored = this.sets.filter((set) => !(held as readonly string[]).includes(set))
    const nothing = { ok: true, activated: 0, deactivated: 0 }
    if (this.at !== null && this.at <= model.watermark) {
      return { status: 200, changes: false, data: { ...nothing, skipped: true } }
    }
    let [activated, deactivated] = [0, 0]
    for (const name of NAMES) {
      const set = SET_OF[name]
      if (set === null || rules[name].isDeleted) continue
      const row = model.rows.get(name)
      if (!held.includes(set)) {
        if (row?.isActive === true) {
          row.isActive = false
          deactivated += 1
        }
      } else if (row === undefined) {
        model.rows.set(name, fresh('entitlement', true))
        activated += 1
      } else if (!row.isActive && !(row.optedOut && model.held.includes(set))) {
        const begun = row.hasEnded ? fresh('entitlement') : row
        Object.assign(row, begun, { isActive: true, optedOut: false, hasEnded: false, source: 'entitlement' })
        activated += 1
      }
    }
    const isSame = held.join() === model.held.join() && (this.at === null || this.at === model.watermark)
    model.held = held
    model.watermark = this.at ?? model.watermark
    return {
      status: 200,
      changes: activated + deactivated > 0 || !isSame,
      data: { ...nothing, activated, deactivated, ignored },
    }
  }
  ask = ({ kit, as }: Real) =>
    kit.call(kit.root, 'PUT', `/entitlements/${as.orgId}`, {
      sets: this.sets,
      ...(this.at === null ? {} : { occurredAt: new Date(Date.UTC(2026, 0, 1) + this.at).toISOString() }),
    })
  override toString = () => `billing: [${this.sets}] of ${this.at}`
}

class Plan extends Step {
  constructor(readonly features: SetName[]) {
    super()
  }
  expected(model: Model) {
    model.features = this.features
    return { status: 200, changes: true }
  }
  async ask({ kit, as }: Real) {
    await unlock(
      kit,
      as.orgId,
      this.features.map((set) => `compliance_${set}` as const),
      'developer',
    )
    return kit.call(as, 'GET', '/subscriptions')
  }
  override toString = () => `the plan has [${this.features}]`
}

class Publish extends Step {
  constructor(
    readonly name: Name,
    readonly what: 'update' | 'delete or restore',
  ) {
    super()
  }
  expected(_: Model, { rules }: Real) {
    const rule = rules[this.name]
    if (this.what === 'update') {
      if (rule.isDeleted) return { status: 404, changes: false }
      rule.version += 1
    } else {
      if (rule.isDeleted) rule.version += 1
      rule.isDeleted = !rule.isDeleted
    }
    return { status: 200, changes: true }
  }
  async ask({ kit, rules }: Real) {
    const rule = rules[this.name]
    const patch = { description: `version ${rule.version}` }
    if (this.what === 'update') return kit.call(kit.root, 'PUT', `/rules/${rule.id}`, patch, SYSTEM)
    if (rule.isDeleted) return kit.call(kit.root, 'DELETE', `/rules/${rule.id}`, undefined, SYSTEM)
    const headers = { ...SYSTEM.headers, ...(await stepUp(kit.app, kit.root)) }
    return kit.call(kit.root, 'POST', `/rules/${rule.id}/restore`, undefined, { headers })
  }
  override toString = () => `the publisher: ${this.what} ${this.name}`
}

const name = fc.constantFrom(...NAMES)
const mode = fc.constantFrom('enforce' as const, 'observe' as const)
const sets = fc.constantFrom(
  [],
  ['standard'],
  ['standard', 'advanced'],
  ['standard', 'advanced'],
  ['advanced'],
  ['golden'],
)
const steps = [
  name.map((each) => new Subscribe(each)),
  fc.tuple(name, fc.boolean()).map((all) => new Switch(...all)),
  fc.tuple(name, fc.boolean()).map((all) => new Switch(...all)),
  fc.tuple(name, mode, fc.boolean()).map((all) => new Rollout(...all)),
  fc.tuple(name, fc.boolean()).map((all) => new Pin(...all)),
  name.map((each) => new Leave(each)),
  fc.tuple(fc.subarray(NAMES, { minLength: 1 }), fc.boolean()).map((all) => new Bulk(...all)),
  fc.constant(new Onboard()),
  fc.tuple(sets, fc.constantFrom(null, 1, 2, 3, 4)).map((all) => new Push(...all)),
  fc.tuple(sets, fc.constantFrom(null, 5, 6)).map((all) => new Push(...all)),
  fc.subarray<SetName>(['standard', 'advanced']).map((all) => new Plan(all)),
  fc
    .tuple(name, fc.constantFrom('update' as const, 'update' as const, 'delete or restore' as const))
    .map((all) => new Publish(...all)),
]

await describeCompliance(
  'the states of a subscription',
  { stores: BOTH_DATABASES, settings: { BILLING_ENABLED: 'true' } },
  (kit, database) => {
    const rules = {} as Record<Name, Published>
    beforeAll(async () => {
      for (const each of NAMES) {
        const published = await kit.publish(noLatest(each, { tags: TAGS[each] }))
        rules[each] = { id: published.data.rule.id, version: 1, isDeleted: false }
      }
    })

    it('are those of the table, step by step', { timeout: 300_000 }, async () => {
      let runs = 0
      await fc.assert(
        fc.asyncProperty(fc.commands(steps, { maxCommands: 30, size: 'max' }), async (commands) => {
          runs += 1
          const as = await signUp(kit.app, `ada${runs}`)
          const model = new Model()
          await unlock(kit, as.orgId, [], 'developer')
          // On PostgreSQL the first caller that locks creates the row that is locked.
          await kit.call(as, 'POST', '/subscriptions/bulk', { ruleIds: [rules.free.id], isActive: false })
          await fc.asyncModelRun(() => ({ model, real: { kit, as, rules } }), commands)
        }),
        // Published rules keep their changes from a run, so a failing run cannot be shrunk.
        { numRuns: database === 'SQLite' ? 12 : 4, seed: 11, endOnFailure: true },
      )
    })
  },
)
