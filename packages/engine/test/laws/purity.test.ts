/** Evaluation reads and answers: it changes nothing, remembers nothing and hands out nothing of what it was given. */
import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { compileRules, evaluateRules, explain } from '../../src/index.js'
import { deepFreeze, groupNumbers, groupOf } from './groups.js'

afterEach(() => vi.restoreAllMocks())

describe('purity', () => {
  it('evaluates frozen rules, attributes and context', () => {
    fc.assert(
      fc.property(groupNumbers, (number) => {
        const { rules, trials } = deepFreeze(groupOf(number))
        const ruleSet = compileRules(rules)
        for (const { attributes, context } of trials) {
          expect(() => ruleSet.evaluate(attributes, context)).not.toThrow()
          expect(() => explain(ruleSet, attributes, context)).not.toThrow()
        }
      }),
      { numRuns: 200 },
    )
  })

  it('gives a first and a later evaluation of the same entity the same verdict, whatever came between', () => {
    fc.assert(
      fc.property(groupNumbers, (number) => {
        const { rules, trials } = groupOf(number)
        const ruleSet = compileRules(rules)
        const first = trials.map(({ attributes, context }) => JSON.stringify(ruleSet.evaluate(attributes, context)))
        const later = [...trials].reverse().map(({ attributes, context }) => ruleSet.evaluate(attributes, context))
        expect(later.reverse().map((verdict) => JSON.stringify(verdict))).toEqual(first)
      }),
      { numRuns: 200 },
    )
  })

  it('keeps no result of an earlier evaluation alive to change', () => {
    fc.assert(
      fc.property(groupNumbers, (number) => {
        const { rules, trials } = groupOf(number)
        const ruleSet = compileRules(rules)
        for (const { attributes, context } of trials) {
          const verdict = ruleSet.evaluate(attributes, context)
          const text = JSON.stringify(verdict)
          scribble(verdict)
          expect(JSON.stringify(ruleSet.evaluate(attributes, context))).toBe(text)
        }
      }),
      { numRuns: 100 },
    )
  })

  it('hands out no object of the attributes', () => {
    fc.assert(
      fc.property(groupNumbers, (number) => {
        const { rules, trials } = groupOf(number)
        for (const { attributes, context } of trials) {
          const given = objectsIn(attributes)
          for (const object of objectsIn(evaluateRules(rules, attributes, context))) {
            expect(given.has(object)).toBe(false)
          }
        }
      }),
      { numRuns: 100 },
    )
  })

  it('reads no clock and no randomness', () => {
    const clock = vi.spyOn(Date, 'now')
    const random = vi.spyOn(Math, 'random')
    for (let number = 0; number < 200; number++) {
      const { rules, trials } = groupOf(number)
      const ruleSet = compileRules(rules)
      for (const { attributes, context } of trials) ruleSet.evaluate(attributes, context)
    }
    expect(clock).not.toHaveBeenCalled()
    expect(random).not.toHaveBeenCalled()
  })
})

/** Overwrites whatever of a result can be overwritten; shared parts must be frozen. */
function scribble(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  for (const key of Object.keys(value)) {
    scribble((value as Record<string, unknown>)[key])
    try {
      ;(value as Record<string, unknown>)[key] = 'scribbled'
    } catch {
      // Frozen: nothing to protect.
    }
  }
}

function objectsIn(value: unknown, found = new Set<unknown>()): Set<unknown> {
  if (typeof value !== 'object' || value === null || found.has(value)) return found
  found.add(value)
  for (const key of Object.keys(value)) objectsIn(Object.getOwnPropertyDescriptor(value, key)?.value, found)
  return found
}
