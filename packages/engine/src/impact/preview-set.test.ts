import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Rule } from '../types.js'
import { type ImpactEntity, previewImpact } from './preview-impact.js'
import { previewSetAsync } from './preview-set.js'

const rule = (name: string, target: 'plugin' | 'pipeline', value: number): Rule => ({
  ...{ id: name, name, target, value },
  field: 'x',
  operator: 'lte',
})

describe('previewSetAsync', () => {
  const target = fc.constantFrom('plugin' as const, 'pipeline' as const)
  const rules = fc.array(fc.tuple(target, fc.nat(9)), { maxLength: 6 })
  const entities = fc.array(fc.tuple(target, fc.nat(9)), { maxLength: 30 })

  it('counts each rule as alone, and an entity once however many rules it violates', async () => {
    await fc.assert(
      fc.asyncProperty(rules, entities, fc.nat(12), async (some, values, maxSamples) => {
        const set = some.map(([of, value], at) => rule(`r${at}`, of, value))
        const records = values.map(
          ([of, x], at): ImpactEntity => ({ id: `e${at}`, name: `n${at}`, target: of, attributes: { x } }),
        )
        const failing = records.filter((each) => set.some((one) => previewImpact([one], [each])[0]?.wouldFail === 1))
        const source = (async function* () {
          yield* records
        })()
        expect(await previewSetAsync(set, source, { maxSamples })).toEqual({
          rules: previewImpact(set, records, { maxSamples }),
          total: records.length,
          wouldFail: failing.length,
          samples: failing
            .slice(0, maxSamples)
            .map(({ id, name, target: of }) => ({ entityType: of, entityId: id, entityName: name })),
        })
      }),
      { numRuns: 60 },
    )
  })

  it('names ten entities unless it is told otherwise, and counts all', async () => {
    const records = Array.from({ length: 30 }, (_, at) => ({ id: `e${at}`, attributes: { x: 5 } }))
    const { wouldFail, samples } = await previewSetAsync([rule('a', 'plugin', 1)], records)
    expect([wouldFail, samples.length]).toEqual([30, 10])
    expect(samples[0]).toEqual({ entityType: null, entityId: 'e0', entityName: null })
  })
})
