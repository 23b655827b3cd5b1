/** Kills the writer at random moments, again and again on the same file, and looks at what it left. */
import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { inspect } from './inspect.js'

/** After so many kills a new file is begun, or looking at it would take longer than writing it. */
const CYCLES_PER_FILE = 25
const RUN_MS_MAX = 200

export interface KillResult {
  readonly cycles: number
  readonly acknowledged: number
  /** Events in the chains that were verified. */
  readonly sealed: number
  readonly failures: string[]
}

export async function killLoop(writer: string, cycles: number, random: () => number): Promise<KillResult> {
  const failures: string[] = []
  let acknowledged = 0
  let folder = ''
  let sealed = 0
  for (let cycle = 0; cycle < cycles; cycle++) {
    if (cycle % CYCLES_PER_FILE === 0) {
      if (folder !== '') rmSync(folder, { recursive: true, force: true })
      folder = mkdtempSync(join(tmpdir(), 'plumbline-kill-'))
    }
    const before = acknowledgedIn(folder).length
    await runAndKill(writer, folder, random() * RUN_MS_MAX)
    const numbers = acknowledgedIn(folder)
    acknowledged += numbers.length - before
    const problem = inspect(join(folder, 'plumbline.db'), numbers)
    if (problem !== null) failures.push(`cycle ${cycle}: ${problem}`)
    const isLast = cycle % CYCLES_PER_FILE === CYCLES_PER_FILE - 1 || cycle === cycles - 1
    if (isLast) sealed += verify(writer, folder, failures)
    if (failures.length >= 10) break
  }
  rmSync(folder, { recursive: true, force: true })
  if (acknowledged < cycles) failures.push(`only ${acknowledged} writes were acknowledged: nothing was under load`)
  if (sealed === 0) failures.push('no evidence was sealed')
  return { cycles, acknowledged, sealed, failures }
}

/** Verifies every hash of the chain, as `GET /audit/verify` does. @returns how many events it has. */
function verify(writer: string, folder: string, failures: string[]): number {
  const answer = JSON.parse(execFileSync(process.execPath, [writer, 'verify', folder], { encoding: 'utf8' })) as {
    count: number
    verdict: string
    reason: string | null
  }
  if (answer.verdict === 'invalid')
    failures.push(`the chain of ${answer.count} events: ${answer.verdict}, ${answer.reason}`)
  return answer.count
}

async function runAndKill(writer: string, folder: string, runMs: number): Promise<void> {
  const child = spawn(process.execPath, [writer, 'kill', folder], { stdio: ['ignore', 'pipe', 'inherit'] })
  const gone = new Promise<void>((resolve, reject) => {
    child.on('exit', (code, signal) =>
      signal === 'SIGKILL' ? resolve() : reject(new Error(`the writer ended by itself with ${code}`)),
    )
  })
  await Promise.race([new Promise<void>((resolve) => child.stdout.once('data', () => resolve())), gone])
  // From the first answer on: before it there is nothing to lose.
  const before = acknowledgedIn(folder).length
  while (child.exitCode === null && acknowledgedIn(folder).length === before) await sleep(5)
  await sleep(runMs)
  child.kill('SIGKILL')
  await gone
}

/** Whole lines only: the last one may be cut. */
function acknowledgedIn(folder: string): number[] {
  try {
    return readFileSync(join(folder, 'acknowledged'), 'utf8').split('\n').slice(0, -1).map(Number)
  } catch {
    return []
  }
}
