/** Rules about the image of a plugin: before there is one they wait, and with it the verdict is that of all rules. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { oracle } from '../../proof/oracle.js'
import {
  type Attributes,
  compileRules,
  type Evaluation,
  type EvaluationContext,
  type Rule,
  readsBuiltImage,
  rulesInForce,
} from '../../src/index.js'
import { choices, distinct, groupNumbers, groupOf } from './groups.js'

const FIELDS = ['builtImage.usesRootUser', 'builtImage["labels"].team', '$count(builtImage.layers)', 'builtImage']
const AT = '2026-06-01T00:00:00.000Z'

/** Some of the rules read the image, in place of what they read. */
const aboutImages = (rules: readonly Rule[], number: number): Rule[] => {
  const random = choices(number)
  return rules.map((rule): Rule => {
    if (!random.chance(40)) return { ...rule, target: 'plugin' }
    const field = random.pick(FIELDS)
    const [first, ...more] = rule.conditions ?? []
    return first === undefined
      ? { ...rule, target: 'plugin', field }
      : {
          ...rule,
          target: 'plugin',
          conditions: [{ ...first, field } as NonNullable<Rule['conditions']>[number], ...more],
        }
  })
}
const isReader = (rule: Rule): boolean =>
  (rule.conditions?.length ? rule.conditions : [rule]).some(({ field }) =>
    /^(?:\$[a-z]+\()*builtImage(?![A-Za-z0-9_-])/.test(String(field)),
  )
const judged = (rules: readonly Rule[], attributes: Attributes, context: EvaluationContext) => {
  const { ruleSet, waiting } = rulesInForce(compileRules(rules), 'plugin', attributes)
  return { verdict: ruleSet.evaluate(attributes, context), waiting }
}

/** The oracle writes no messages. */
const wordless = (verdict: Evaluation): unknown =>
  JSON.parse(JSON.stringify(verdict, (key, value) => (key === 'message' ? undefined : value)))

describe('rules about an image', () => {
  it('wait until there is one, and nothing else changes: the oracle says the same in both phases', () => {
    let readers = 0
    fc.assert(
      fc.property(groupNumbers, (number) => {
        const { rules: given, trials } = distinct(groupOf(number))
        const rules = aboutImages(given, number)
        readers += rules.filter(isReader).length
        const later = rules.map((rule) => (isReader(rule) ? { ...rule, effectiveFrom: '9999-01-01T00:00:00Z' } : rule))
        for (const trial of trials) {
          const context = { ...trial.context, target: 'plugin' as const, now: AT }
          const { builtImage: _, ...attributes } = trial.attributes as Record<string, unknown>
          const before = judged(rules, attributes, context)
          expect(wordless(before.verdict)).toEqual(wordless(oracle(later, attributes, context)))
          const names = new Set(before.waiting.map(({ ruleId }) => ruleId))
          expect(before.verdict.violations.filter(({ ruleId }) => names.has(ruleId))).toEqual([])
          const built = { ...attributes, builtImage: { usesRootUser: true, labels: {}, layers: [1] } }
          const after = judged(rules, built, context)
          expect(wordless(after.verdict)).toEqual(wordless(oracle(rules, built, context)))
          expect(after.waiting).toEqual([])
        }
      }),
      { numRuns: 150 },
    )
    expect(readers).toBeGreaterThan(100)
  })

  it('wait also where no time is given, with what depends on them', () => {
    const rules: Rule[] = [
      { name: 'image', target: 'plugin', field: 'builtImage.user', operator: 'eq', value: 'app' },
      {
        name: 'behind',
        target: 'plugin',
        conditions: [{ dependsOnRule: 'image' }, { field: 'x', operator: 'exists' }],
      },
      { name: 'dated', target: 'plugin', field: 'x', operator: 'exists', effectiveFrom: '2999-01-01T00:00:00Z' },
    ]
    const { verdict } = judged(rules, { name: 'a' }, { target: 'plugin' })
    expect(verdict.skipped.map(({ ruleName, reason }) => [ruleName, reason])).toEqual([
      ['image', 'not_effective'],
      ['behind', 'dependency_unavailable'],
    ])
    expect(verdict.violations.map(({ ruleName }) => ruleName)).toEqual(['dated'])
  })

  it('are told by what they read, wherever it stands', () => {
    const rule = (more: Partial<Rule>): Rule => ({ name: 'r', target: 'plugin', ...more })
    const readers: Partial<Rule>[] = [
      { field: 'builtImage.user', operator: 'exists' },
      { field: '$count($keys(builtImage.labels))', operator: 'lt', value: 3 },
      {
        conditionMode: 'any',
        conditions: [
          { field: 'name', operator: 'exists' },
          { field: 'builtImage', operator: 'exists' },
        ],
      },
    ]
    const others: Partial<Rule>[] = [
      { field: 'builtImages', operator: 'exists' },
      { field: 'metadata.builtImage', operator: 'exists' },
      { field: 'builtImage..user', operator: 'exists' },
      { target: 'pipeline', field: 'builtImage.user', operator: 'exists' },
      { field: 'builtImage.user', conditions: [{ field: 'name', operator: 'exists' }] },
    ]
    const broken = [{ conditions: [null] }, { conditions: 'x' }] as unknown as Partial<Rule>[]
    expect(broken.map((more) => readsBuiltImage(rule(more)))).toEqual([false, false])
    expect(readers.map((more) => readsBuiltImage(rule(more)))).toEqual([true, true, true])
    expect(others.map((more) => readsBuiltImage(rule(more)))).toEqual([false, false, false, false, false])
    expect(rulesInForce(compileRules([rule(readers[0] ?? {})]), 'plugin', {}).waiting).toEqual([
      { ruleId: 'r', ruleName: 'r' },
    ])
  })
})
