/**
 * Goal: for any sequence of requests, decisions, revocations and clock changes, an exemption moves only as its table of
 * states allows, and covers only its own rule for its own entity. The model is the table of spec compliance 9.
 */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type ComplianceApp, memberOf, noLatest, signUp } from '../../../test/support/compliance.js'
import { describeCompliance } from '../../../test/support/describe-compliance.js'
import { BOTH_DATABASES } from '../../../test/support/describe-stores.js'
import { runJobs } from '../../../test/support/organizations.js'
import { type SignedIn, signIn } from '../../../test/support/sign-in.js'
import { complianceRows } from '../../../test/support/table-rows.js'
import { expireExemptionsJob } from './sweep.js'

const HOUR_MS = 3_600_000
const WHO = ['ada', 'amy', 'reader'] as const
type Who = (typeof WHO)[number]
const RULES = ['first', 'second'] as const
const ENTITIES = ['11111111-1111-7111-8111-111111111111', '22222222-2222-7222-8222-222222222222'] as const

type State = 'pending' | 'approved' | 'rejected' | 'expired' | 'revoked'
interface Waiver {
  id: string
  readonly rule: number
  readonly entity: number
  readonly by: Who
  readonly expiresAtMs: number | null
  stored: State
}

class Model {
  readonly waivers: Waiver[] = []
  nowMs = 0

  state({ stored, expiresAtMs }: Waiver): State {
    const isOver = expiresAtMs !== null && expiresAtMs <= this.nowMs
    return isOver && (stored === 'pending' || stored === 'approved') ? 'expired' : stored
  }

  /** An exemption past its expiry stays expired once that was stored. */
  settle(): void {
    for (const each of this.waivers) each.stored = this.state(each)
  }

  open(rule: number, entity: number): Waiver | undefined {
    return this.waivers.find(
      (each) => each.rule === rule && each.entity === entity && ['pending', 'approved'].includes(this.state(each)),
    )
  }
}

interface Real {
  readonly kit: ComplianceApp
  readonly people: Record<Who, SignedIn>
  readonly ruleIds: readonly string[]
}

/** Sends a request to the server, and expects the status of the model. */
async function expectStatus(real: Real, expected: number, ask: () => ReturnType<ComplianceApp['call']>) {
  const before = expected < 300 ? null : await complianceRows(real.kit.app.runtime.store)
  const answer = await ask()
  expect(answer.status, JSON.stringify(answer.body)).toBe(expected)
  if (before !== null) {
    const code = { 400: 'VALIDATION_ERROR', 403: 'INSUFFICIENT_PERMISSIONS', 404: 'NOT_FOUND', 409: 'CONFLICT' }[
      expected
    ]
    expect(answer.code).toBe(code)
    expect(await complianceRows(real.kit.app.runtime.store)).toEqual(before)
  }
  return answer
}

/** After each step, the list and the verdicts must match the model. */
abstract class Step implements fc.AsyncCommand<Model, Real> {
  check = () => true
  abstract act(model: Model, real: Real): Promise<void>
  async run(model: Model, real: Real): Promise<void> {
    await this.act(model, real)
    const { kit, people, ruleIds } = real
    const listed = (await kit.call(people.ada, 'GET', '/exemptions?limit=200')).data.exemptions
    const mine = listed.filter(({ ruleId }: { ruleId: string }) => ruleIds.includes(ruleId))
    expect(Object.fromEntries(mine.map((each: { id: string; status: string }) => [each.id, each.status]))).toEqual(
      Object.fromEntries(model.waivers.map((each) => [each.id, model.state(each)])),
    )
    for (const [entity, entityId] of ENTITIES.entries()) {
      const { violations, exemptionsApplied } = (
        await kit.call(people.ada, 'POST', '/validate/plugin/dry-run', { attributes: { version: 'latest' }, entityId })
      ).data
      const inForce = RULES.map((_, rule) => model.open(rule, entity)).map((each) =>
        each !== undefined && model.state(each) === 'approved' ? each.id : null,
      )
      expect(violations.map(({ ruleName }: { ruleName: string }) => ruleName)).toEqual(
        RULES.filter((_, rule) => inForce[rule] === null),
      )
      expect(exemptionsApplied).toEqual(inForce.filter((id) => id !== null))
    }
  }
}

class Ask extends Step {
  constructor(
    readonly who: Who,
    readonly rule: number,
    readonly entity: number,
    readonly lastsMs: number | null,
    readonly isBulk: boolean,
  ) {
    super()
  }
  async act(model: Model, real: Real): Promise<void> {
    const expiresAtMs = this.lastsMs === null ? null : model.nowMs + this.lastsMs
    const isPast = this.lastsMs !== null && this.lastsMs <= 0
    const isTaken = model.open(this.rule, this.entity) !== undefined
    const wanted = {
      ruleId: real.ruleIds[this.rule],
      entityType: 'plugin',
      entityId: ENTITIES[this.entity],
      reason: 'until the next release',
      ...(expiresAtMs === null ? {} : { expiresAt: new Date(expiresAtMs).toISOString() }),
    }
    const as = real.people[this.who]
    const status = this.isBulk ? 201 : isPast ? 400 : isTaken ? 409 : 201
    const answer = await expectStatus(real, status, () =>
      this.isBulk
        ? real.kit.call(as, 'POST', '/exemptions/bulk', { exemptions: [wanted, wanted] })
        : real.kit.call(as, 'POST', '/exemptions', wanted),
    )
    if (status !== 201) return
    model.settle()
    if (this.isBulk) {
      const counts = isPast ? [0, 0, 2] : isTaken ? [0, 2, 0] : [1, 1, 0]
      expect([answer.data.created, answer.data.skipped, answer.data.failed]).toEqual(counts)
    }
    if (isTaken || isPast) return
    const id = this.isBulk ? answer.data.ids[0] : answer.data.exemption.id
    model.waivers.push({ id, rule: this.rule, entity: this.entity, by: this.who, expiresAtMs, stored: 'pending' })
  }
  override toString = () =>
    `${this.who} asks${this.isBulk ? ' twice at once' : ''}: rule ${this.rule}, entity ${this.entity}, ${this.lastsMs} ms`
}

class Decide extends Step {
  constructor(
    readonly who: Who,
    readonly at: number,
    readonly status: 'approved' | 'rejected',
  ) {
    super()
  }
  async act(model: Model, real: Real): Promise<void> {
    const waiver = model.waivers[this.at % Math.max(1, model.waivers.length)]
    const expected =
      this.who === 'reader'
        ? 403
        : waiver === undefined
          ? 404
          : waiver.by === this.who
            ? 403
            : model.state(waiver) === 'pending'
              ? 200
              : 409
    const id = waiver?.id ?? ENTITIES[0]
    await expectStatus(real, expected, () =>
      real.kit.call(real.people[this.who], 'PUT', `/exemptions/${id}/review`, { status: this.status }),
    )
    if (expected === 200 && waiver !== undefined) waiver.stored = this.status
  }
  override toString = () => `${this.who}: ${this.at} is ${this.status}`
}

class Revoke extends Step {
  constructor(
    readonly who: Who,
    readonly at: number,
  ) {
    super()
  }
  async act(model: Model, real: Real): Promise<void> {
    const waiver = model.waivers[this.at % Math.max(1, model.waivers.length)]
    const state = waiver === undefined ? null : model.state(waiver)
    const mayEnd = this.who !== 'reader' || (state === 'pending' && waiver?.by === this.who)
    const isOpen = state === 'pending' || state === 'approved'
    const expected = waiver === undefined ? 404 : !mayEnd ? 403 : isOpen ? 200 : 409
    const id = waiver?.id ?? ENTITIES[0]
    await expectStatus(real, expected, () => real.kit.call(real.people[this.who], 'DELETE', `/exemptions/${id}`))
    if (expected === 200 && waiver !== undefined) waiver.stored = 'revoked'
  }
  override toString = () => `${this.who} revokes ${this.at}`
}

class Jump extends Step {
  constructor(readonly ms: number) {
    super()
  }
  async act(model: Model, { kit, people }: Real): Promise<void> {
    kit.app.clock.advance(this.ms)
    model.nowMs = kit.app.clock.now()
    for (const who of WHO) Object.assign(people[who], await signIn(kit.app, people[who].username))
  }
  override toString = () => `the clock goes ${this.ms} ms`
}

class Sweep extends Step {
  async act(model: Model, { kit }: Real): Promise<void> {
    await runJobs(kit.app, [expireExemptionsJob], [expireExemptionsJob.kind])
    model.settle()
  }
  override toString = () => 'the sweep'
}

const who = fc.constantFrom(...WHO)
const two = fc.integer({ min: 0, max: 1 })
const lasts = fc.constantFrom(null, null, HOUR_MS, 2 * HOUR_MS, 1, 0, -1)
const steps = [
  fc.tuple(who, two, two, lasts, fc.boolean()).map((all) => new Ask(...all)),
  fc
    .tuple(who, fc.nat(6), fc.constantFrom('approved' as const, 'approved' as const, 'rejected' as const))
    .map((all) => new Decide(...all)),
  fc
    .tuple(fc.constantFrom('ada' as const, 'amy' as const), fc.nat(6), fc.constant('approved' as const))
    .map((all) => new Decide(...all)),
  fc.tuple(who, fc.nat(6)).map((all) => new Revoke(...all)),
  fc.constantFrom(1, HOUR_MS - 1, HOUR_MS, -1, -HOUR_MS).map((ms) => new Jump(ms)),
  fc.constant(new Sweep()),
]

await describeCompliance('the states of an exemption', { stores: BOTH_DATABASES }, (kit, name) => {
  it('are those of the table, step by step', { timeout: 300_000 }, async () => {
    let runs = 0
    const taken: Record<string, number> = {}
    await fc.assert(
      fc.asyncProperty(fc.commands(steps, { maxCommands: 24, size: 'max' }), async (commands) => {
        runs += 1
        const ada = await signUp(kit.app, `ada${runs}`)
        const join = async (label: string, roles: readonly ('Admin' | 'Member')[]) =>
          memberOf(kit, ada, `${label}${runs}`, roles)
        const people = { ada, amy: await join('amy', ['Member', 'Admin']), reader: await join('reader', ['Member']) }
        const ruleIds: string[] = []
        for (const rule of RULES) {
          ruleIds.push((await kit.call(ada, 'POST', '/rules', noLatest(rule))).data.rule.id)
        }
        const model = new Model()
        model.nowMs = kit.app.clock.now()
        await fc.asyncModelRun(() => ({ model, real: { kit, people, ruleIds } }), commands)
        for (const each of model.waivers) taken[model.state(each)] = (taken[model.state(each)] ?? 0) + 1
      }),
      { numRuns: name === 'SQLite' ? 20 : 4, seed: 7 },
    )
    // Every state must be reached, else the test proves nothing about it.
    if (name === 'SQLite')
      expect(Object.keys(taken).sort()).toEqual(['approved', 'expired', 'pending', 'rejected', 'revoked'])
  })
})
