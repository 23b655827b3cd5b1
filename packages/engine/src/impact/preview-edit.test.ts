import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Rule } from '../types.js'
import { previewEdit, previewEditAsync } from './preview-edit.js'
import { type ImpactEntity, previewImpact } from './preview-impact.js'

const atMost = (value: number, more: Partial<Rule> = {}): Rule => ({
  name: 'a',
  target: 'plugin',
  field: 'x',
  operator: 'lte',
  value,
  ...more,
})
const entitiesOf = (values: readonly number[]): ImpactEntity[] =>
  values.map((x, at) => ({ id: `e${at}`, name: `n${at}`, target: 'plugin', attributes: { x } }))
const failing = (rule: Rule, entities: readonly ImpactEntity[]) =>
  new Set(previewImpact([rule], entities, { maxSamples: 100 })[0]?.samples.map(({ entityId }) => entityId))

describe('previewEdit', () => {
  it('names what moves in either direction, and counts the new form', () => {
    const edit = previewEdit(atMost(5), atMost(3), entitiesOf([1, 4, 5, 9]))
    expect(edit.newlyFailing).toEqual({
      total: 2,
      samples: [
        { entityId: 'e1', entityName: 'n1' },
        { entityId: 'e2', entityName: 'n2' },
      ],
    })
    expect(edit.newlyPassing).toEqual({ total: 0, samples: [] })
    expect(edit.after).toMatchObject({ total: 4, wouldFail: 3 })
    expect(previewEdit(atMost(3), atMost(5), entitiesOf([1, 4, 5, 9])).newlyPassing.total).toBe(2)
  })

  it('is the difference of two previews, for any inventory, also from an asynchronous source', async () => {
    const values = fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 30 })
    await fc.assert(
      fc.asyncProperty(values, fc.nat(9), fc.nat(9), async (xs, was, is) => {
        const entities = entitiesOf(xs)
        const edit = previewEdit(atMost(was), atMost(is), entities, { maxSamples: 100 })
        const [old, now] = [failing(atMost(was), entities), failing(atMost(is), entities)]
        expect(edit.newlyFailing.samples.map(({ entityId }) => entityId).sort()).toEqual(
          [...now].filter((id) => !old.has(id)).sort(),
        )
        expect(edit.newlyPassing.samples.map(({ entityId }) => entityId).sort()).toEqual(
          [...old].filter((id) => !now.has(id)).sort(),
        )
        const source = (async function* () {
          yield* entities
        })()
        expect(await previewEditAsync(atMost(was), atMost(is), source, { maxSamples: 100 })).toEqual(edit)
      }),
      { numRuns: 50 },
    )
  })

  it('keeps so many samples, and counts all', () => {
    const edit = previewEdit(atMost(9), atMost(-1), entitiesOf(Array.from({ length: 30 }, () => 1)), { maxSamples: 2 })
    expect([edit.newlyFailing.total, edit.newlyFailing.samples.length]).toEqual([30, 2])
  })

  it('refuses two targets', () => {
    expect(() => previewEdit(atMost(1), atMost(1, { target: 'pipeline' }), [])).toThrow('one target')
  })
})
