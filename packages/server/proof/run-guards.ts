/**
 * `npm run proof -- server-guards [--only text] [--bugs reports] [--part 1/8] [--from N] [--count N]`: removes each guard of the list in a
 * copy of the sources, one at a time, and runs the test that must notice. A guard that can go unnoticed fails the run. What
 * failed by its time alone is said to: on a busy machine that proves nothing.
 */
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { bundle } from './bundle.js'
import {
  type Guard,
  type HostileRun,
  ISOLATION,
  isHostile,
  isRun,
  KILLS,
  nameOfHostile,
  type Run,
  VERDICTS,
} from './guard.js'
import { guards } from './guards.js'
import { REPORT_BUGS } from './guards-reports.js'
import { markedFiles, mutantOf, testsNamed } from './places.js'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const NEIGHBOURS = ['engine', 'billing-core', 'audit-chain', 'cli', 'rules']
const ISOLATION_REQUESTS = '12000'
const SCENARIOS = '600'

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    bugs: { type: 'string', default: '' },
    part: { type: 'string', default: '1/1' },
    from: { type: 'string', default: '0' },
    count: { type: 'string', default: '1000' },
  },
})
const BUGS: Readonly<Record<string, readonly string[]>> = { reports: Object.values(REPORT_BUGS) }
const bugs = BUGS[values.bugs]
if (values.bugs !== '' && bugs === undefined) {
  console.error(`--bugs is one of ${Object.keys(BUGS).join(', ')}`)
  process.exit(2)
}
const first = Number(values.from)
const [part = 1, parts = 1] = values.part.split('/').map(Number)
const files = markedFiles()
const chosen = guards
  .filter(({ name, test }) => `${name} ${files.get(name)} ${test}`.includes(values.only))
  .filter(({ name }) => bugs === undefined || bugs.includes(name))
  .filter((_, at) => at % parts === part - 1)
  .slice(first, first + Number(values.count))
if (chosen.length === 0) {
  console.error('no guard is named so')
  process.exit(2)
}

interface Program {
  readonly entry: string
  readonly args: readonly string[]
}

const PROGRAMS: Readonly<Record<Run, Program>> = {
  [ISOLATION]: {
    entry: 'proof/server.ts',
    args: ['--isolation', ISOLATION_REQUESTS, '--fuzz', '0', '--failures', '1'],
  },
  [KILLS]: { entry: 'proof/digests/main.ts', args: ['--cycles', '6'] },
  [VERDICTS]: { entry: 'proof/verdicts/main.ts', args: ['--cases', SCENARIOS, '--failures', '1'] },
}

const programOf = (run: Run | HostileRun): Program =>
  isHostile(run) ? { entry: 'proof/builds/hostile.ts', args: [nameOfHostile(run)] } : PROGRAMS[run]

type Outcome = 'passed' | 'failed' | 'late'
const SHOWN: Readonly<Record<Outcome, string>> = { failed: 'noticed ', late: 'by time ', passed: 'SURVIVED' }

const copy = makeCopy()
let survivors = 0
try {
  for (const test of new Set(chosen.map((each) => each.test))) {
    // What fails without a change proves nothing.
    if ((await outcomeOf(test)) !== 'passed')
      throw new Error(`${test} fails on the sources as they are; PROOF_SHOW=1 shows how`)
  }
  for (const each of chosen) {
    const outcome = await outcomeWithout(each)
    if (outcome === 'passed') survivors += 1
    console.log(`${SHOWN[outcome]}  ${each.name} (${each.test})`)
  }
  console.log(`${chosen.length - survivors} of ${chosen.length} guards are noticed when they go`)
} finally {
  rmSync(copy, { recursive: true, force: true })
}
process.exitCode = survivors === 0 ? 0 : 1

function makeCopy(): string {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-guards-'))
  // Builds are another user's.
  chmodSync(folder, 0o755)
  for (const name of ['vitest.workspace.ts', 'tsconfig.json', 'tsconfig.base.json', 'package.json']) {
    cpSync(join(root, name), join(folder, name))
  }
  cpSync(join(root, 'scripts', 'test'), join(folder, 'scripts', 'test'), { recursive: true })
  mkdirSync(join(folder, 'packages', 'server'), { recursive: true })
  for (const name of ['src', 'test', 'proof', 'scripts', 'assets', 'migrations', 'package.json']) {
    cpSync(join(root, 'packages/server', name), join(folder, 'packages/server', name), { recursive: true })
  }
  for (const name of NEIGHBOURS) symlinkSync(join(root, 'packages', name), join(folder, 'packages', name))
  for (const name of ['node_modules', 'examples', 'docs']) symlinkSync(join(root, name), join(folder, name))
  return folder
}

async function outcomeWithout(each: Guard): Promise<Outcome> {
  const { file, text } = mutantOf(each, files)
  const path = join(copy, 'packages/server', file)
  const whole = readFileSync(path, 'utf8')
  writeFileSync(path, text)
  try {
    return await outcomeOf(each.test)
  } finally {
    writeFileSync(path, whole)
  }
}

/** Of the test in the copy. */
async function outcomeOf(test: string): Promise<Outcome> {
  const run = isRun(test) ? programOf(test) : undefined
  if (run === undefined) {
    const args = ['run', '--config', 'vitest.workspace.ts', '--project', 'server', '--bail=1']
    return runs(test, join(root, 'node_modules/.bin/vitest'), [...args, `packages/server/${testsNamed(test)[0]}`])
  }
  // As one file it starts in a third of the time. The run ends at its first finding.
  const { file, clean } = await bundle(run.entry, join(copy, 'packages/server'))
  try {
    return runs(test, process.execPath, [file, ...run.args])
  } finally {
    clean()
  }
}

function runs(test: string, command: string, args: readonly string[]): Outcome {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: copy, encoding: 'utf8', env: process.env })
  if (/No test files found|Failed to (load|parse)|SyntaxError|Transform failed/.test(`${stdout}${stderr}`)) {
    throw new Error(`${test} did not run:\n${stdout}${stderr}`)
  }
  if (status !== 0 && process.env['PROOF_SHOW'] === '1') console.log(`${stdout}${stderr}`.slice(-3000))
  if (status === 0) return 'passed'
  return /(Test|Hook) timed out in/.test(stdout) && !/AssertionError|TypeError/.test(stdout) ? 'late' : 'failed'
}
