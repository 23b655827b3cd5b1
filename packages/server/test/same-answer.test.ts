/** One verdict: what the worker judges over the inventory, what the server counts, and what its check finds, entity by entity. */
import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { judge } from '../../console/src/judge/judge.js'
import { type ComplianceApp, recordKey, signUp } from './support/compliance.js'
import { describeCompliance } from './support/describe-compliance.js'
import { BOTH_DATABASES } from './support/describe-stores.js'
import type { SignedIn } from './support/sign-in.js'

const FIELDS = ['size', 'team', 'tags', 'absent'] as const
const VALUES = [1, 2, 'shop', 'web', true] as const
const rule = fc.record({
  field: fc.constantFrom(...FIELDS),
  operator: fc.constantFrom('eq', 'neq', 'exists', 'notExists', 'in', 'notIn', 'contains'),
  value: fc.constantFrom(...VALUES),
})
const entity = fc.record(
  { size: fc.constantFrom(1, 2), team: fc.constantFrom('shop', 'web'), tags: fc.subarray(['web', 'shop']) },
  { requiredKeys: [] },
)
const RULES = 12
const bodyOf = ({ field, operator, value }: { field: string; operator: string; value: unknown }, name: string) => ({
  name,
  target: 'plugin',
  field,
  operator,
  ...(operator.endsWith('xists') ? {} : { value: operator.endsWith('n') ? [value] : value }),
})

await describeCompliance('the same answer', { stores: BOTH_DATABASES }, (kit: ComplianceApp) => {
  let ann: SignedIn
  let entities: Parameters<typeof judge>[1]
  beforeAll(async () => {
    ann = await signUp(kit.app, 'ann')
    for (const [at, attributes] of fc.sample(entity, { numRuns: 20, seed: 21 }).entries()) {
      const id = `01a16d23-b8a0-77a1-8c31-${String(at).padStart(12, '0')}`
      const name = `plugin-${at}`
      const stored = { id, name, revision: 1, attributes: { name, version: '1.0.0', ...attributes } }
      kit.inventory.set(recordKey(ann.orgId, 'plugin', id), stored)
    }
    entities = (await kit.call(ann, 'GET', '/inventory?target=plugin&limit=100')).data.entities
  })

  it('of a draft in the worker, of the server and of a check', async () => {
    const drafts = fc.sample(rule, { numRuns: RULES, seed: 21 }).map((each, at) => bodyOf(each, `rule ${at}`))
    const expected = new Map<string, readonly string[]>()
    for (const draft of drafts) {
      const here = judge({ id: 1, rule: draft }, entities).impact
      const there = (await kit.call(ann, 'POST', '/subscriptions/preview/impact', { rule: draft })).data
      if (here === null) {
        expect(there).toBeUndefined()
        continue
      }
      const idsOf = (samples: readonly { entityId: string }[]) => samples.map(({ entityId }) => entityId)
      expect([draft, there.total, there.wouldFail, idsOf(there.samples)]).toEqual([
        draft,
        here.total,
        here.wouldFail,
        idsOf(here.samples),
      ])
      expect((await kit.call(ann, 'POST', '/rules', draft)).status).toBe(201)
      const all = (entities ?? []).filter((one) => judge({ id: 1, rule: draft }, [one]).impact?.wouldFail === 1)
      expected.set(draft.name, all.map(({ id }) => id).sort())
    }
    expect(expected.size).toBeGreaterThan(6)
    expect(new Map([...(await checked(kit, ann))].filter(([, ids]) => ids.length > 0))).toEqual(
      new Map([...expected].filter(([, ids]) => ids.length > 0)),
    )
  })

  it('of an edit in the worker and of the server', async () => {
    const before = bodyOf({ field: 'size', operator: 'eq', value: 1 }, 'edited')
    const stored = (await kit.call(ann, 'POST', '/rules', before)).data.rule.id
    for (const each of fc.sample(rule, { numRuns: RULES, seed: 22 })) {
      const draft = bodyOf(each, 'edited')
      const here = judge({ id: 1, rule: draft, former: before }, entities).moved
      const { data } = await kit.call(ann, 'POST', '/subscriptions/preview/impact', { rule: draft, before: stored })
      expect([draft, data?.newlyFailing, data?.newlyPassing]).toEqual([draft, here?.newlyFailing, here?.newlyPassing])
    }
  })
})

/** The ids of the entities that a check finds for each rule. */
async function checked(kit: ComplianceApp, as: SignedIn): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, string[]>()
  for (const [key, { attributes }] of kit.inventory) {
    const id = key.split('/')[2] ?? ''
    // The check that a scan runs on each record.
    const { data } = await kit.call(as, 'POST', '/validate/plugin/dry-run', { attributes, entityId: id })
    for (const { ruleName } of [...data.violations, ...data.warnings])
      found.set(ruleName, [...(found.get(ruleName) ?? []), id])
  }
  for (const ids of found.values()) ids.sort()
  return found
}
