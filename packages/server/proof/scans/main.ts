/**
 * `npm run proof -- server-scans [--cycles 12] [--seed 1]`: a process that scans is killed at random moments, again and again on
 * one file. After each kill the check log and the counts of every scan say the same, no record was checked twice in a scan, and
 * no slot of a schedule has two scans; in the end every scan is over: gone on with and complete, or failed and saying so.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { sqliteDriver } from '../../src/runtime/store/sqlite-driver.js'
import { bundle } from '../bundle.js'
import { createRandom } from '../world/random.js'

const { Database } = sqliteDriver()

const { values } = parseArgs({
  options: { cycles: { type: 'string', default: '12' }, seed: { type: 'string', default: '1' } },
})
const [cycles, seed] = [Number(values.cycles), Number(values.seed)]
if (!Number.isSafeInteger(cycles) || cycles < 1 || !Number.isSafeInteger(seed)) {
  console.error('--cycles and --seed must be whole numbers')
  process.exit(2)
}

/** More than the lease of a job, so that the next process takes it over. */
const AHEAD_S = 61
/** More than a scan may be silent before it has failed. */
const BURIED_AFTER_S = 700
const RUN_MS_MAX = 900
const RECORDS = 1500

interface ScanRow {
  readonly id: string
  readonly status: string
  readonly target: string
  readonly processed: number
  readonly total: number
  readonly counted: number
  readonly blocked: number
  readonly error: string | null
}

/** What the file says now. @returns what is wrong with it. */
function inspect(file: string): { scans: ScanRow[]; wrong: string[] } {
  const db = new Database(file)
  try {
    const scans = db
      .prepare(
        `SELECT id, status, target, processed_entities AS processed, total_entities AS total, block_count AS blocked,
           pass_count + warn_count + block_count AS counted, error_message AS error FROM compliance_scans`,
      )
      .all() as ScanRow[]
    const wrong: string[] = []
    const rowsOf = db.prepare(
      `SELECT count(*) AS rows, count(DISTINCT entity_id) AS entities, coalesce(sum(result = 'block'), 0) AS blocked
         FROM compliance_checks WHERE scan_id = ?`,
    )
    for (const scan of scans) {
      const found = rowsOf.get(scan.id) as { rows: number; entities: number; blocked: number }
      const says = `scan ${scan.id} (${scan.status}) counts ${scan.processed} of ${scan.total}, ${scan.blocked} blocked`
      if (found.rows !== found.entities) wrong.push(`${says}: ${found.rows} rows of ${found.entities} records`)
      if (found.rows !== scan.processed || scan.counted !== scan.processed || found.blocked !== scan.blocked)
        wrong.push(`${says}: the check log has ${found.rows}, ${found.blocked} blocked`)
      if (scan.status === 'completed' && scan.target === 'pipeline' && scan.processed !== RECORDS)
        wrong.push(`${says}: complete without every record`)
      if (scan.status === 'failed' && scan.error === null) wrong.push(`${says}: failed without saying why`)
    }
    const slots = db
      .prepare('SELECT slot_key FROM compliance_scans WHERE slot_key IS NOT NULL GROUP BY slot_key HAVING count(*) > 1')
      .all()
    if (slots.length > 0) wrong.push(`slots with two scans: ${JSON.stringify(slots)}`)
    return { scans, wrong }
  } finally {
    db.close()
  }
}

type Mode = 'run' | 'finish' | 'bury'

interface Kill {
  /** After which line of the worker. */
  readonly after: 'started' | 'moving'
  readonly ms: number
}

async function run(worker: string, folder: string, ahead: number, mode: Mode, kill: Kill | null): Promise<void> {
  const child = spawn(process.execPath, [worker, folder, String(ahead), mode], { stdio: ['ignore', 'pipe', 'inherit'] })
  const gone = new Promise<void>((resolve, reject) =>
    child.on('exit', (code, signal) =>
      signal === 'SIGKILL' || code === 0 ? resolve() : reject(new Error(`the worker ended with ${code}`)),
    ),
  )
  if (kill !== null) {
    const said = new Promise<void>((resolve) => {
      let text = ''
      child.stdout.on('data', (bytes: Buffer) => {
        text += bytes.toString()
        if (text.includes(kill.after)) resolve()
      })
    })
    await Promise.race([said, gone])
    await sleep(kill.ms)
    child.kill('SIGKILL')
  }
  await gone
}

const built = await bundle('proof/scans/worker.ts')
const folder = mkdtempSync(join(tmpdir(), 'plumbline-scans-'))
const random = createRandom(seed).next
try {
  const file = join(folder, 'plumbline.db')
  const failures: string[] = []
  const interrupted = new Set<string>()
  for (let cycle = 0; cycle < cycles && failures.length < 10; cycle++) {
    // Some die before they have done anything.
    const after = cycle % 4 === 3 ? 'started' : 'moving'
    await run(built.file, folder, cycle * AHEAD_S, 'run', { after, ms: random() * RUN_MS_MAX })
    const { scans, wrong } = inspect(file)
    for (const each of scans) if (each.status === 'running' && each.processed > 0) interrupted.add(each.id)
    failures.push(...wrong.map((each) => `cycle ${cycle}: ${each}`))
  }
  await run(built.file, folder, cycles * AHEAD_S, 'finish', null)
  await run(built.file, folder, cycles * AHEAD_S + BURIED_AFTER_S, 'bury', null)
  const { scans, wrong } = inspect(file)
  failures.push(...wrong.map((each) => `in the end: ${each}`))
  const open = scans.filter(({ status }) => status === 'pending' || status === 'running')
  if (open.length > 0) failures.push(`${open.length} scans are never over`)
  const resumed = scans.filter(({ id, status }) => interrupted.has(id) && status === 'completed').length
  const failed = scans.filter(({ status }) => status === 'failed').length
  if (interrupted.size === 0) failures.push('no scan was interrupted: nothing was shown')
  const checks = scans.reduce((sum, { processed }) => sum + processed, 0)
  console.log(
    `${failures.length === 0 ? 'pass' : 'FAIL'}  scans under kill -9: ${cycles} cycles, ${scans.length} scans of ${checks} checks, ${interrupted.size} interrupted, ${resumed} of them complete, ${failed} failed and say so`,
  )
  for (const failure of failures) console.log(`      ${failure}`)
  if (failures.length > 0) process.exitCode = 1
} finally {
  built.clean()
  rmSync(folder, { recursive: true, force: true })
}
