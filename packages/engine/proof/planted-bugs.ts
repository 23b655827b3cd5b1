/**
 * `npm run proof -- engine-bugs`: plants each bug of the list into a copy of the sources and lets the proof loose on it.
 *
 * Fails when a bug is not found within 1,000,000 cases, or when a patch no longer fits the sources.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TRIALS_PER_GROUP } from './generate/group.js'
import { type PlantedBug, plantedBugs } from './planted-bug-list.js'
import { bundleShard, runShardIn, SOURCES } from './run-shards.js'

const SEED = 7
const MAX_CASES = 1_000_000
const WORKERS = 2

interface Outcome {
  readonly bug: PlantedBug
  /** Number of the case that showed the bug; null when none did. */
  readonly foundAt: number | null
  readonly problem: string | null
}

const outcomes: Outcome[] = []
const waiting = [...plantedBugs]
await Promise.all(Array.from({ length: WORKERS }, work))

outcomes.sort((a, b) => plantedBugs.indexOf(a.bug) - plantedBugs.indexOf(b.bug))
for (const { bug, foundAt, problem } of outcomes) {
  const where = foundAt === null ? (problem ?? 'NOT FOUND') : `case ${foundAt.toLocaleString('en-US')}`
  console.log(`${bug.name.padEnd(66)} ${where}`)
}
const found = outcomes.filter(({ foundAt }) => foundAt !== null)
console.log(`${found.length} of ${plantedBugs.length} planted bugs found`)

// Without a bug the same cases must be silent, else the finds above prove nothing.
const cases = Math.max(...found.map(({ foundAt }) => foundAt ?? 0))
const falseAlarm = await firstDifference(SOURCES, cases)
console.log(`${cases.toLocaleString('en-US')} cases without a bug: ${falseAlarm === null ? 'silent' : 'A DIFFERENCE'}`)
process.exitCode = found.length === plantedBugs.length && falseAlarm === null ? 0 : 1

async function work(): Promise<void> {
  for (let bug = waiting.shift(); bug !== undefined; bug = waiting.shift()) outcomes.push(await hunt(bug))
}

async function hunt(bug: PlantedBug): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-planted-'))
  try {
    const sources = join(folder, 'src')
    cpSync(SOURCES, sources, { recursive: true })
    const file = join(sources, bug.file)
    const text = readFileSync(file, 'utf8')
    const times = text.split(bug.find).length - 1
    if (times !== 1) {
      return { bug, foundAt: null, problem: `STALE PATCH: its text occurs ${times} times in ${bug.file}, not once` }
    }
    writeFileSync(
      file,
      text.replace(bug.find, () => bug.replace),
    )
    return { bug, foundAt: await firstDifference(sources, MAX_CASES), problem: null }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function firstDifference(sources: string, cases: number): Promise<number | null> {
  const bundle = await bundleShard(sources)
  try {
    const end = Math.ceil(cases / TRIALS_PER_GROUP)
    const request = { seed: SEED, first: 0, step: 1, end, maxDifferences: 1, shrinks: false }
    const [failure] = (await runShardIn(bundle, request)).failures
    return failure === undefined ? null : (failure.group + 1) * TRIALS_PER_GROUP
  } finally {
    bundle.dispose()
  }
}
