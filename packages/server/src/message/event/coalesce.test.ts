/** Concurrent callers share one run, whose answer is never older than the request. */
import { expect, it } from 'vitest'
import { together } from './coalesce.js'

it('answers all who ask in one turn by one run, each with their own answer', async () => {
  const ask = together<number, string>()
  const runs: (readonly number[])[] = []
  const run = async (asked: readonly number[]) => {
    runs.push(asked)
    return asked.map(String)
  }
  const answers = await Promise.all([ask('a', 1, run), ask('a', 2, run), ask('b', 3, run), ask('a', 4, run)])
  expect(answers).toEqual(['1', '2', '3', '4'])
  expect(runs).toEqual([[1, 2, 4], [3]])
})

it('answers who asks during a run by the next one', async () => {
  const ask = together<string, number>()
  let state = 0
  let later: Promise<number> | undefined
  const run = async (asked: readonly string[]) => {
    const seen = state
    if (asked[0] === 'early') {
      later = ask('key', 'late', run)
      state = 1
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    return asked.map(() => seen)
  }
  expect(await ask('key', 'early', run)).toBe(0)
  expect(await later).toBe(1)
})

it('tells all of a failed run, and goes on', async () => {
  const ask = together<number, number>()
  const failing = async () => {
    throw new Error('no database')
  }
  const both = await Promise.allSettled([ask('key', 1, failing), ask('key', 2, failing)])
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await ask('key', 3, async (asked) => asked.map((each) => each + 1))).toBe(4)
})
