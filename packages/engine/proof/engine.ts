/**
 * `npm run proof -- engine --cases N --seed S [--workers N]`: the engine against the oracle on random cases, in two worker
 * threads unless told otherwise; the cases are the same for any number of them.
 *
 * Prints every difference, shrunk, as JSON with the numbers that repeat it, and exits 1 when there is one.
 */
import { parseArgs } from 'node:util'
import { TRIALS_PER_GROUP } from './generate/group.js'
import { bundleShard, measureStall, runShardIn } from './run-shards.js'
import type { ShardReport, ShardRequest } from './shard.js'
import type { Stall } from './stall.js'

const DEFAULT_WORKERS = '2'
const MAX_DIFFERENCES = 10
/** Hostile inputs of each kind: paths, patterns with texts, attribute trees, rules. */
const STALL_INPUTS = 10_000
const MAX_STALL_MS = 50
/** Seed of a run that names none. The same run proves nothing new: give another seed for another run. */
const DEFAULT_SEED = 20260101

await main()

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      cases: { type: 'string' },
      seed: { type: 'string' },
      group: { type: 'string' },
      workers: { type: 'string' },
    },
  })
  const seed = integer('seed', values.seed ?? String(DEFAULT_SEED))
  const only = values.group === undefined ? null : integer('group', values.group)
  const cases = integer('cases', values.cases ?? '200000')
  const workers = Math.max(1, integer('workers', values.workers ?? DEFAULT_WORKERS))
  const groups = Math.ceil(cases / TRIALS_PER_GROUP)
  const requests: ShardRequest[] =
    only === null
      ? Array.from({ length: workers }, (_, first) => ({
          seed,
          first,
          step: workers,
          end: groups,
          maxDifferences: MAX_DIFFERENCES,
          shrinks: true,
        }))
      : [{ seed, first: only, step: 1, end: only + 1, maxDifferences: 1, shrinks: true }]

  const bundle = await bundleShard()
  const start = performance.now()
  const done = requests.map(() => 0)
  const timer = setInterval(() => {
    const sum = done.reduce((a, b) => a + b, 0)
    console.error(`${sum.toLocaleString('en-US')} cases, ${rate(sum, (performance.now() - start) / 1000)} cases/s`)
  }, 30_000)
  const reports = await Promise.all(
    requests.map((request, index) =>
      runShardIn(bundle, request, (count) => {
        done[index] = count
      }),
    ),
  )
  clearInterval(timer)
  const seconds = (performance.now() - start) / 1000
  const stall = only === null ? await measureStall(bundle, seed, STALL_INPUTS) : null
  bundle.dispose()
  print(seed, reports, seconds, stall)
}

function print(seed: number, reports: readonly ShardReport[], seconds: number, stall: Stall | null): void {
  const sum = (count: (report: ShardReport) => number) => reports.reduce((total, report) => total + count(report), 0)
  const cases = sum((report) => report.cases)
  const slowestMs = Math.max(...reports.map((report) => report.slowestMs))
  const failures = reports.flatMap((report) => report.failures)
  for (const failure of failures) {
    console.log(`difference at ${failure.at}, repeat with --seed ${seed} --group ${failure.group}`)
    console.log(failure.text)
  }
  const figures: readonly (readonly [string, number | string])[] = [
    ['seed', String(seed)],
    ['cases', cases],
    ['cases/s', rate(cases, seconds)],
    ['violations', sum((report) => report.violations)],
    ['of them misconfigured', sum((report) => report.misconfigured)],
    ['skipped rules', sum((report) => report.skipped)],
    ['repeated one-shot', sum((report) => report.oneShotCases)],
    ['repeated standalone', sum((report) => report.standaloneCases)],
    ['slowest evaluation, ms', slowestMs === 0 ? 'under 1' : slowestMs.toFixed(1)],
    ...(stall === null ? [] : [['longest stall, ms', `${stall.ms.toFixed(1)} (${stall.what})`] as const]),
    ['differences', failures.length],
  ]
  for (const [name, figure] of figures) console.log(`${name.padEnd(24)} ${figure.toLocaleString('en-US')}`)
  if (stall !== null && stall.ms > MAX_STALL_MS) console.log(`the stall is over the bound of ${MAX_STALL_MS} ms`)
  const isProved = cases > 0 && failures.length === 0 && (stall === null || stall.ms <= MAX_STALL_MS)
  process.exitCode = isProved ? 0 : 1
}

function rate(cases: number, seconds: number): string {
  return Math.round(cases / seconds).toLocaleString('en-US')
}

function integer(name: string, text: string): number {
  if (!/^\d{1,15}$/.test(text)) {
    console.error(`--${name} must be a whole number, for example --${name} 1000000`)
    process.exit(2)
  }
  return Number(text)
}
