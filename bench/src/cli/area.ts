/**
 * The command line as a user runs it: a process starts, does its work and ends. Start-up is compared with an empty Node
 * process, and a check of many files with a program that only reads and parses them.
 */
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type BenchArea, type BenchOptions, type BenchTable, median } from '../harness.js'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const bin = join(root, 'packages/cli/bin/plumbline.js')
const rules = join(root, 'samples/rules')
const samples = join(root, 'samples/plugins')

/** Writes the peak memory of a process in KiB to file descriptor 3 when it ends. */
const memoryProbe = `data:text/javascript,${encodeURIComponent(
  "import { writeSync } from 'node:fs'; process.on('exit', () => writeSync(3, String(process.resourceUsage().maxRSS)))",
)}`

interface Run {
  readonly ms: number
  readonly peakMib: number
  readonly stdout: string
  readonly status: number | null
}

function startedMs(args: readonly string[]): number {
  const start = performance.now()
  spawnSync(process.execPath, args, { cwd: root, stdio: 'ignore' })
  return performance.now() - start
}

function run(args: readonly string[], cwd: string): Run {
  const start = performance.now()
  const child = spawnSync(process.execPath, ['--import', memoryProbe, ...args], {
    cwd,
    encoding: 'utf8',
    maxBuffer: 512 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
  })
  const ms = performance.now() - start
  return { ms, peakMib: Number(child.output[3]) / 1024, stdout: child.stdout, status: child.status }
}

function startUp({ quick }: BenchOptions): BenchTable {
  const rounds = quick ? 3 : 21
  const contenders: readonly (readonly [string, readonly string[]])[] = [
    ['an empty node process (the limit)', ['-e', '0']],
    ['plumbline --version', [bin, '--version']],
    ['plumbline check --help', [bin, 'check', '--help']],
  ]
  const samplesMs = contenders.map(() => [] as number[])
  for (let round = 0; round < rounds; round++) {
    for (const [index, [, args]] of contenders.entries()) samplesMs[index]?.push(startedMs(args))
  }
  return {
    title: 'Start-up',
    unit: 'ms, median and fastest',
    columns: ['process', 'median', 'fastest'],
    rows: contenders.map(([name], index) => {
      const own = samplesMs[index] ?? []
      return [name, median(own).toFixed(0), Math.min(...own).toFixed(0)]
    }),
    note: 'Required: `plumbline --version` within 150 ms.',
  }
}

/** The limit: reading and parsing alone, with the same parsers as the command. */
const parseOnly = `
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
const { parseAllDocuments } = createRequire(process.argv[2])('yaml')
let count = 0
for (const name of readdirSync(process.argv[3])) {
  const text = readFileSync(process.argv[3] + '/' + name, 'utf8')
  const values = name.endsWith('.json') ? [JSON.parse(text)] : parseAllDocuments(text).map((each) => each.toJS())
  if (values.every((value) => typeof value === 'object')) count++
}
console.log(count)
`

function manyFiles({ quick }: BenchOptions): BenchTable {
  const count = quick ? 500 : 10_000
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-bench-'))
  try {
    const names = readdirSync(samples)
    const plugins = join(folder, 'plugins')
    mkdirSync(plugins)
    for (let index = 0; index < count; index++) {
      const name = names[index % names.length] ?? ''
      copyFileSync(join(samples, name), join(plugins, `${String(index).padStart(5, '0')}${extname(name)}`))
    }
    const script = join(folder, 'parse-only.mjs')
    writeFileSync(script, parseOnly)
    const check = (jobs: number, format: string) => [
      bin,
      'check',
      plugins,
      '-r',
      rules,
      '--jobs',
      String(jobs),
      '-f',
      format,
    ]
    const contenders: readonly (readonly [string, readonly string[]])[] = [
      ['read and parse alone (the limit)', [script, join(root, 'packages/cli/package.json'), plugins]],
      ['check --jobs 1 --format json', check(1, 'json')],
      ['check --jobs 2 --format json', check(2, 'json')],
      ['check --jobs 2 --format sarif', check(2, 'sarif')],
      ['check --jobs 2 --format pretty', check(2, 'pretty')],
    ]
    const rows = contenders.map(([name, args]) => {
      const runs = Array.from({ length: quick ? 1 : 3 }, () =>
        run(
          args.map((arg) => (arg === script ? script : arg)),
          folder,
        ),
      )
      const [first] = runs
      if (name.startsWith('check')) verify(first, count)
      else if (first?.stdout.trim() !== String(count)) throw new Error('the limit did not read every file')
      const ms = median(runs.map((each) => each.ms))
      const peak = Math.max(...runs.map((each) => each.peakMib))
      return [name, (ms / 1000).toFixed(2), ((count / ms) * 1000).toFixed(0), peak.toFixed(0)]
    })
    return {
      title: `Check of ${count.toLocaleString('en')} plugin files`,
      unit: 's, files/s, MiB at the peak',
      columns: ['process', 'seconds', 'files/s', 'peak MiB'],
      rows,
      note: 'Shipped sample plugins and rules. Required: 10,000 files within 15 s and 300 MB.',
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A figure counts only if the work was done. */
function verify(result: Run | undefined, count: number): void {
  if (result?.status !== 1) throw new Error(`check ended with ${result?.status}, 1 was expected`)
  const files = /"files": (\d+)/.exec(result.stdout)?.[1]
  if (files !== undefined && Number(files) !== count) throw new Error(`check saw ${files} files of ${count}`)
}

export const area: BenchArea = {
  name: 'cli',
  summary: 'start-up of the command line, and a check of many files',
  async run(options) {
    if (!existsSync(join(root, 'packages/cli/dist/main.js'))) throw new Error('build first: npm run build')
    return [startUp(options), manyFiles(options)]
  },
}
