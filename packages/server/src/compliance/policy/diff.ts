/**
 * `GET /compliance/policies/:id/diff`: what a version of a policy would change for the stored records, over the whole
 * inventory (ADR 81). Each record is evaluated once by each side, as in a scan: with rollouts, dates and exemptions.
 */
import { compileRules, type Target as TargetName } from '@plumbline/engine'
import Type, { type Static } from 'typebox'
import { invalidField } from '../../runtime/errors.js'
import type { Entity } from '../../runtime/inventory.js'
import { permission } from '../../runtime/operation/access.js'
import { type PrepareContext, tenantId } from '../../runtime/operation/context.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'
import { beyondLimits, notEvaluated } from '../check/beyond-limits.js'
import { type Decision, decide, excessOf } from '../check/evaluate.js'
import { CHECK_RESULTS, type CheckResult, resultOf } from '../check/verdict.js'
import { exemptionsOfMany } from '../exemption/active.js'
import { heldOf } from '../held.js'
import { askInventory, inventoryWith } from '../inventory.js'
import { regexLimits } from '../rule/create.js'
import { TARGETS, Target } from '../rule/schema.js'
import type { MergedRules } from '../rule-set/assemble.js'
import type { Held } from '../rule-stamp.js'
import { subjectOf } from '../subject.js'
import type { PolicyRow } from '../tables.js'
import { sidesOf } from './compared-rule-sets.js'
import { findVisiblePolicy } from './get.js'

const SAMPLES_MAX = 10

const Result = Type.Enum([...CHECK_RESULTS])
const Version = strictObject({ id: Uuid, name: Type.String(), version: Type.String() })
const RuleName = strictObject({ id: Uuid, name: Type.String(), target: Target })
const count = (description: string) => Type.Integer({ minimum: 0, description })
const moved = (description: string) =>
  strictObject({
    total: count(description),
    samples: Type.Array(
      strictObject({
        entityType: Target,
        entityId: Type.String(),
        entityName: Type.String(),
        before: Result,
        after: Result,
        rules: Type.Array(Type.String(), { description: 'Names of the rules that are violated on only one side' }),
      }),
      { description: `The first ${SAMPLES_MAX}, plugins before pipelines, by id` },
    ),
  })

const Diff = strictObject({
  policy: Version,
  /** Null for the rules in force now. */
  against: nullable(Version),
  addedRules: Type.Array(RuleName),
  removedRules: Type.Array(RuleName),
  total: count('Records that were checked: all of them'),
  newlyFailing: moved('Without a violation before, with one after; warnings count'),
  newlyPassing: moved('With a violation before, without one after'),
  stillFailing: count('With a violation on both sides'),
  stillPassing: count('Without a violation on both sides'),
  newlyBlocked: count('Of all: those that only the version would block'),
  noLongerBlocked: count('Of all: those that the version would no longer block'),
})
type Diff = Static<typeof Diff>

export const diffPolicy = query({
  name: 'compliance.policy.diff',
  summary: 'Count the stored records that a version of a policy would newly fail or pass',
  description:
    'Compares with another version, each as if only its rules were in force; or with what is in force now, with this version in place of the others of its name. The server checks the whole inventory, page by page; nothing is stored. An account can run two such requests at once, a server four. A request ends when its client disconnects.',
  http: { method: 'get', path: '/compliance/policies/:id/diff' },
  // guard: a-diff-of-policies-needs-a-permission
  access: permission('compliance:read'),
  tenant: fromHeader,
  input: {
    path: Type.Object({ id: Uuid }),
    query: Type.Object({
      against: Type.Optional({
        ...Uuid,
        description: 'Another version, or any other policy; by default, what is in force',
      }),
      target: Type.Optional(Target),
    }),
  },
  output: Diff,
  errors: ['INSUFFICIENT_PERMISSIONS', 'NOT_FOUND', 'REQUEST_TIMEOUT', 'VALIDATION_ERROR'],
  async prepare(context, { path, query: { against: other, target } }) {
    const orgId = tenantId(context)
    if (other === path.id) throw invalidField('/query/against', 'is the policy itself: name another version', 'same')
    const { policy, against } = await context.read(async (db) => ({
      policy: await findVisiblePolicy(db, orgId, path.id),
      against: other === undefined ? null : await findVisiblePolicy(db, orgId, other),
    }))
    const tally = new Tally(policy, against)
    await askInventory(context, async () => {
      for (const each of target === undefined ? TARGETS : [target]) await compare(context, tally, each)
    })
    return tally.diff
  },
  run: async (_context, _input, diff) => diff,
})

async function compare(context: PrepareContext, tally: Tally, target: TargetName): Promise<void> {
  const { runtime, nowMs } = context
  const held = heldOf(context)
  const sides = await context.read((db) => sidesOf({ ...context, db }, held, tally, target))
  tally.addRules(sides.before, sides.after)
  const limits = regexLimits(runtime.settings)
  const before = sideOf(sides.before, limits)
  const after = sideOf(sides.after, limits)
  const records = inventoryWith(context, held.orgId, target, (db, page) =>
    exemptionsOfMany(db, held.orgId, target, page),
  )
  for await (const [entity, exemptions] of records) {
    const asked = { held, target, exemptions: exemptions.get(entity.id) ?? [], nowMs, settings: runtime.settings }
    tally.add(target, entity, judge(before, asked, entity), judge(after, asked, entity))
  }
}

type Side = Pick<Decision, 'ruleSet' | 'modes'>

const sideOf = ({ rules, modes }: MergedRules, limits: ReturnType<typeof regexLimits>): Side => ({
  ruleSet: compileRules(rules, limits),
  modes,
})

interface Judged {
  readonly result: CheckResult
  readonly rules: readonly string[]
}

interface Asked extends Pick<Decision, 'held' | 'exemptions'> {
  readonly held: Held
  readonly target: TargetName
  readonly nowMs: number
  readonly settings: PrepareContext['runtime']['settings']
}

/** Evaluates as a scan does: an entity that rules cannot evaluate counts as blocked. */
function judge(side: Side, { held, target, exemptions, nowMs, settings }: Asked, entity: Entity): Judged {
  const subject = subjectOf(target, { entityId: entity.id, entityName: entity.name }, entity.attributes)
  const verdict = (() => {
    try {
      const excess = excessOf(target, entity.attributes, settings)
      return excess === null
        ? decide({ ...side, held, subject, exemptions }, entity.attributes, nowMs)
        : beyondLimits(excess)
    } catch {
      return notEvaluated()
    }
  })()
  return { result: resultOf(verdict), rules: verdict.violations.map(({ ruleName }) => ruleName) }
}

const versionOf = ({ id, name, version }: PolicyRow): Static<typeof Version> => ({ id, name, version })

class Tally {
  readonly diff: Diff
  readonly policy: PolicyRow
  readonly against: PolicyRow | null

  constructor(policy: PolicyRow, against: PolicyRow | null) {
    this.policy = policy
    this.against = against
    this.diff = {
      policy: versionOf(policy),
      against: against === null ? null : versionOf(against),
      addedRules: [],
      removedRules: [],
      total: 0,
      newlyFailing: { total: 0, samples: [] },
      newlyPassing: { total: 0, samples: [] },
      stillFailing: 0,
      stillPassing: 0,
      newlyBlocked: 0,
      noLongerBlocked: 0,
    }
  }

  addRules(before: MergedRules, after: MergedRules): void {
    const without = (all: MergedRules, others: MergedRules) => {
      const ids = new Set(others.rules.map(({ id }) => id))
      return all.rules
        .filter(({ id }) => !ids.has(id))
        .map(({ id = '', name, target }) => ({ id, name, target }))
        .sort((a, b) => (a.name < b.name ? -1 : 1))
    }
    this.diff.addedRules.push(...without(after, before))
    this.diff.removedRules.push(...without(before, after))
  }

  add(entityType: TargetName, { id, name }: Entity, before: Judged, after: Judged): void {
    const { diff } = this
    diff.total += 1
    if (before.result !== 'block' && after.result === 'block') diff.newlyBlocked += 1
    if (before.result === 'block' && after.result !== 'block') diff.noLongerBlocked += 1
    const [failed, fails] = [before.result !== 'pass', after.result !== 'pass']
    if (failed === fails) {
      if (fails) diff.stillFailing += 1
      else diff.stillPassing += 1
      return
    }
    const group = fails ? diff.newlyFailing : diff.newlyPassing
    group.total += 1
    if (group.samples.length >= SAMPLES_MAX) return
    const rules = [...new Set(fails ? after.rules : before.rules)]
    group.samples.push({
      entityType,
      entityId: id,
      entityName: name,
      before: before.result,
      after: after.result,
      rules,
    })
  }
}
