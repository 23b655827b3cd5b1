/** An invented history of one pipeline. The same seed, days and end give the same history. Pure. */
export interface FakeStep {
  readonly name: string
  readonly fromMs: number
  readonly toMs: number
  readonly isGood: boolean
  /** Of a deployment. */
  readonly environment?: 'staging' | 'production'
}

export interface FakeIncident {
  readonly number: number
  readonly openedMs: number
  readonly resolvedMs: number
}

export interface FakeRun {
  readonly id: number
  readonly sha: string
  readonly ref: string
  readonly committedMs: number
  readonly fromMs: number
  readonly toMs: number
  readonly isGood: boolean
  readonly steps: readonly FakeStep[]
  readonly incident: FakeIncident | null
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** The last incident of a day is resolved up to 3 h 20 min after midnight. What has not happened yet is not told. */
const SETTLES_MS = 4 * HOUR

/** Numbers from 0 to 1 (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

export function fakeHistory({ seed, days, untilMs }: { seed: number; days: number; untilMs: number }): FakeRun[] {
  const random = randomOf(seed)
  const between = (low: number, high: number) => low + Math.floor(random() * (high - low))
  const end = Math.floor((untilMs - SETTLES_MS) / DAY) * DAY
  const runs: FakeRun[] = []
  let isBroken = false
  for (let day = days; day > 0; day--) {
    for (let nth = between(0, 4); nth > 0; nth--) {
      const fromMs = end - day * DAY + between(7 * 60, 18 * 60) * MINUTE
      runs.push(fakeRun({ random, between, id: seed * 100_000 + runs.length + 1, fromMs, isBroken }))
      isBroken = runs.at(-1)?.isGood === false
    }
  }
  return runs
}

interface Making {
  readonly random: () => number
  readonly between: (low: number, high: number) => number
  readonly id: number
  readonly fromMs: number
  /** The previous run failed, and this one repairs it. */
  readonly isBroken: boolean
}

function fakeRun({ random, between, id, fromMs, isBroken }: Making): FakeRun {
  const steps: FakeStep[] = []
  let at = fromMs
  const step = (name: string, odds: number, environment?: FakeStep['environment']) => {
    const toMs = at + between(60, 600) * 1000
    const isGood = random() < odds
    steps.push({ name, fromMs: at, toMs, isGood, ...(environment === undefined ? {} : { environment }) })
    at = toMs
    return isGood
  }
  const isGood =
    step('build', 0.97) &&
    step('test', 0.92) &&
    step('deploy staging', 0.98, 'staging') &&
    step('deploy production', 0.93, 'production')
  const hasIncident = isGood && random() < 0.06
  const openedMs = at + between(5, 120) * MINUTE
  const sha = Array.from({ length: 40 }, () => Math.floor(random() * 16).toString(16)).join('')
  return {
    id,
    sha,
    ref: isBroken ? `hotfix/${id}` : 'main',
    committedMs: fromMs - between(10, isBroken ? 60 : 3000) * MINUTE,
    fromMs,
    toMs: at,
    isGood,
    steps,
    incident: hasIncident ? { number: id, openedMs, resolvedMs: openedMs + between(10, 400) * MINUTE } : null,
  }
}
