/** The smallest cases of what the proof has found, so that it is never found again. */
import { describe, expect, it } from 'vitest'
import { compileRules, type Evaluation, evaluateRules, type Rule } from '../../src/index.js'
import { toModule } from '../../src/standalone/index.js'

async function standalone(rules: readonly Rule[]): Promise<(attributes: object, context?: object) => Evaluation> {
  const source = toModule(compileRules(rules), { regex: 'inline' })
  return (await import(`data:text/javascript,${encodeURIComponent(source)}`)).evaluate
}

const listed: Rule = { name: 'listed', target: 'plugin', field: 'x', operator: 'in', value: [1, 2] }

describe('an expected value', () => {
  it('of one result cannot be changed into that of the next', () => {
    const ruleSet = compileRules([listed, { ...listed, name: 'unreadable', field: 'x..y' }])
    for (const { expectedValue } of ruleSet.evaluate({ x: 3 }).violations) {
      expect(() => (expectedValue as unknown[]).push(3)).toThrow(TypeError)
    }
    expect(ruleSet.evaluate({ x: 3 }).violations.map(({ expectedValue }) => expectedValue)).toEqual([
      [1, 2],
      [1, 2],
    ])
  })

  it('of a standalone module cannot be changed either', async () => {
    const evaluate = await standalone([listed])
    const expected = () => evaluate({ x: 3 }).violations.map(({ expectedValue }) => expectedValue as unknown[])
    for (const list of expected()) expect(() => list.push(3)).toThrow(TypeError)
    expect(expected()).toEqual([[1, 2]])
  })
})

describe('a rule whose only alternative is misconfigured and left out by its gate', () => {
  it('is skipped by the standalone module as by the rule set', async () => {
    const rules = [
      { name: 'r', target: 'plugin', conditionMode: 'any', conditions: [{ field: 'steps', dependsOnRule: 'nowhere' }] },
    ] as readonly Rule[]
    const verdict = evaluateRules(rules, {}, { target: 'plugin' })
    expect(verdict.skipped).toEqual([{ ruleId: 'r', ruleName: 'r', reason: 'dependency_unavailable' }])
    expect((await standalone(rules))({}, { target: 'plugin' })).toEqual(verdict)
  })
})
