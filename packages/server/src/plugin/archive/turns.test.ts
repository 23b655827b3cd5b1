/** One archive at a time, and no organization delays another for longer than one archive. */
import { expect, it } from 'vitest'
import { createTurns } from './turns.js'

/** Tasks that end when the test says so, and the order in which they began. */
function held() {
  const begun: string[] = []
  const ends: (() => void)[] = []
  const run = (name: string) => () =>
    new Promise<string>((resolve) => {
      begun.push(name)
      ends.push(() => resolve(name))
    })
  const next = async () => {
    ends.shift()?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { begun, run, next }
}

it('takes turns by organization, one at a time', async () => {
  const { begun, run, next } = held()
  const turns = createTurns({ all: 10, each: 5 })
  const asked = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'].map((name) => turns.take(name.charAt(0), run(name)))
  for (let at = 1; at <= asked.length; at++) {
    expect(begun).toHaveLength(at)
    await next()
  }
  expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2'])
  expect(await Promise.all(asked)).toEqual(['a1', 'a2', 'a3', 'b1', 'b2', 'c1'])
})

it('goes on after one that fails', async () => {
  const turns = createTurns({ all: 10, each: 5 })
  await expect(turns.take('a', () => Promise.reject(new Error('bad')))).rejects.toThrow('bad')
  expect(await turns.take('a', async () => 1)).toBe(1)
})

it('lets so many of one organization wait, and so many of all', async () => {
  const { run, next } = held()
  const turns = createTurns({ all: 3, each: 2 })
  const first = [turns.take('a', run('running')), turns.take('a', run('1')), turns.take('a', run('2'))]
  await expect(turns.take('a', run('3'))).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  const other = turns.take('b', run('4'))
  await expect(turns.take('c', run('5'))).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  for (let at = 0; at < 4; at++) await next()
  await Promise.all([...first, other])
  const later = turns.take('a', run('6'))
  await next()
  expect(await later).toBe('6')
})
