/** What shows from outside without being said: how long an answer takes, what a request leaves in memory. And what is released. */
import { type Attack, many, shown } from './attacks.js'
import type { Target } from './target.js'

/** Accounts whose link is asked for in a round, and as many addresses without one. */
const ASKED = 60
const ROUNDS = 3
/** How far the share of pairs in which an account took longer may be from a half: chance stays within a fifth in 9,999 of 10,000 rounds. */
const OFF_MAX = 0.2
const EXPORTS_WARM = 2000
const EXPORTS = 8000
/** Fewer than a person may have open. */
const AT_ONCE = 8
/** A request that left 5 kB behind left 40 MB. */
const GROWN_MB_MAX = 25

/** In which share of all pairs the first took longer: 0.5 where nothing can be told. */
function shareLonger(some: readonly number[], others: readonly number[]): number {
  let longer = 0
  for (const one of some) for (const other of others) longer += one > other ? 1 : one === other ? 0.5 : 0
  return longer / (some.length * others.length)
}

/** In an order that is not that of the kinds: what one request leaves to do burdens the next. */
function shuffled<T>(items: readonly T[]): T[] {
  let state = 20261123
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state
  }
  return [...items]
    .map((item) => ({ item, at: next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item)
}

async function askAll(target: Target, known: readonly string[], round: number): Promise<number> {
  const times = { known: [] as number[], unknown: [] as number[] }
  const asked = shuffled([
    ...known.map((email) => ({ email, kind: 'known' as const })),
    ...known.map((_, n) => ({ email: `nobody-${round}-${n}@plumbline.test`, kind: 'unknown' as const })),
  ])
  for (const { email, kind } of asked) {
    const startedMs = performance.now()
    await target.call('POST', '/auth/password/forgot', { body: { email } })
    times[kind].push(performance.now() - startedMs)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  return Math.abs(shareLonger(times.known, times.unknown) - 0.5)
}

export const HIDDEN_ATTACKS: readonly Attack[] = [
  {
    name: 'who has an account, by the time of the answer',
    expects: 'nothing to tell',
    async run(target) {
      await askAll(target, ['warm@plumbline.test', 'warmer@plumbline.test'], 0)
      const offs: number[] = []
      for (let round = 1; round <= ROUNDS; round++) {
        // New accounts each time: one address gets one mail a minute, and the second request has less to do.
        const emails = Array.from({ length: ASKED }, (_, n) => `timed-${round}-${n}@plumbline.test`)
        for (const [n, email] of emails.entries()) await target.signUp(`timed-${round}-${n}`, email)
        const off = await askAll(target, emails, round)
        offs.push(off)
        if (off <= OFF_MAX) return 'nothing to tell'
      }
      return `accounts took longer in a share of pairs that is off by ${offs.map((each) => each.toFixed(2)).join(', ')}`
    },
  },
  {
    name: 'the memory of exports of which the headers alone are asked for',
    expects: '200, no memory left',
    async run(target) {
      const { token } = await target.signUp('exporting')
      const headers = { authorization: `Bearer ${token}` }
      const statuses = new Set<number>()
      const ask = async (count: number) => {
        for (let left = count; left > 0; left -= AT_ONCE) {
          const answers = await many(AT_ONCE, () =>
            target.fetch('/compliance/audit/export', { method: 'HEAD', headers }),
          )
          for (const { status } of answers) statuses.add(status)
        }
        await new Promise((resolve) => setTimeout(resolve, 1000))
        return target.heldMb()
      }
      const before = await ask(EXPORTS_WARM)
      const grown = (await ask(EXPORTS)) - before
      return `${[...statuses].join()}, ${grown <= GROWN_MB_MAX ? 'no memory left' : `${Math.round(grown)} MB more`}`
    },
  },
  {
    name: 'a stored secret released to a plugin by a stolen token',
    expects: '200, 401 STEP_UP_REQUIRED, 200',
    async run(target) {
      const as = await target.signUp('releaser')
      const set = (body: object, headers = {}) =>
        target.call('PUT', `/organization/${as.orgId}/secrets/NPM_TOKEN`, { as, body, headers })
      const stored = await set({ value: 'hunter2-hunter2' })
      const stolen = await set({ plugins: ['mine'] })
      const confirmed = await set({ plugins: ['mine'] }, await target.stepUp(as))
      return `${shown(stored)}, ${shown(stolen)}, ${shown(confirmed)}`
    },
  },
]
