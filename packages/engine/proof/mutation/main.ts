/**
 * `npm run proof -- mutation [part …]`: changes the engine's sources in thousands of small ways and runs the tests on
 * each. One run of Stryker for each part, so that what is done stays done; reports are in `reports/mutation`, and the table
 * at the end counts those of all parts that have one. `--table` prints it without a run. With `--budget MS` a mutant meets
 * the quickest tests only, those that take so long together: on a busy machine, at the price of a lower score.
 *
 * A part is a folder of `src`, or a file in one: `evaluate`, `evaluate/decide.ts`.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { chdir } from 'node:process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Stryker } from '@stryker-mutator/core'
import { BUDGET_VARIABLE, FOLDER_VARIABLE } from './test-files.js'

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))
const SOURCES = 'packages/engine/src'
const REPORTS = 'reports/mutation'
/**
 * No code of the engine: documentation as data, generators for the tests of others, and a generated copy of sources
 * that are mutated where they stand.
 */
const EXCLUDED = [
  `${SOURCES}/catalogue/**`,
  `${SOURCES}/testing/**`,
  `${SOURCES}/record/field-docs.ts`,
  `${SOURCES}/standalone/runtime-source.ts`,
]

interface Report {
  readonly files: Record<string, { readonly mutants: readonly { readonly status: string }[] }>
}

/** Runs one part; the report replaces that of an earlier run. */
async function mutate(part: string): Promise<void> {
  mkdirSync(REPORTS, { recursive: true })
  process.env[FOLDER_VARIABLE] = part.split('/')[0] ?? ''
  const stryker = new Stryker({
    mutate: [
      part.endsWith('.ts') ? `${SOURCES}/${part}` : part === '.' ? `${SOURCES}/*.ts` : `${SOURCES}/${part}/**/*.ts`,
      `!${SOURCES}/**/*.test.ts`,
      ...EXCLUDED.map((pattern) => `!${pattern}`),
    ],
    ignorePatterns: ['bench', 'docs', 'examples', 'samples', 'reports', '**/dist', ...otherPackages()],
    plugins: [fileURLToPath(new URL('runner.ts', import.meta.url))],
    testRunner: 'engine',
    // Mutants that fill the heap in an endless loop have to meet their time limit before the end of the memory.
    testRunnerNodeArgs: ['--max-old-space-size=3072', '--no-flush-bytecode'],
    coverageAnalysis: 'perTest',
    concurrency: 1,
    // The second line only, and by the clock: a busy machine must not make it fire.
    timeoutMS: 900_000,
    tempDirName: '.stryker-tmp',
    reporters: ['progress-append-only', 'clear-text', 'json'],
    clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
    jsonReporter: { fileName: join(REPORTS, reportOf(part)) },
  })
  await stryker.runMutationTest()
}

function folders(): readonly string[] {
  const names = readdirSync(SOURCES, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  return [...names.map(({ name }) => name), '.'].filter((name) => !EXCLUDED.includes(`${SOURCES}/${name}/**`))
}

function otherPackages(): readonly string[] {
  return readdirSync('packages')
    .filter((name) => name !== 'engine')
    .map((name) => `packages/${name}`)
}

function reportOf(part: string): string {
  return `engine-${part.replace('/', '-')}.json`
}

/** Markdown: a row for each folder. A mutant that runs into the time limit is one that the tests notice. */
function table(): string {
  const rows = new Map<string, Count>()
  const total = new Count()
  for (const [path, statuses] of newestStatuses()) {
    const folder =
      path
        .slice(SOURCES.length + 1)
        .split('/')
        .slice(0, -1)
        .join('/') || '(top)'
    const row = rows.get(folder) ?? new Count()
    rows.set(folder, row)
    for (const status of statuses) {
      row.add(status)
      total.add(status)
    }
  }
  return [
    '| Folder | Mutants | Killed | Timed out | Survived | Not covered | Score |',
    '|---|--:|--:|--:|--:|--:|--:|',
    ...[...rows].sort().map(([folder, row]) => row.line(`\`${folder}\``)),
    total.line('**Total**'),
  ].join('\n')
}

/** What became of the mutants of each file, as in its newest report: a file may have been run after its folder. */
function newestStatuses(): ReadonlyMap<string, readonly string[]> {
  const names = existsSync(REPORTS) ? readdirSync(REPORTS).filter((name) => /^engine-.*\.json$/.test(name)) : []
  const reports = names.map((name) => join(REPORTS, name)).sort((a, b) => statSync(a).mtimeMs - statSync(b).mtimeMs)
  const statuses = new Map<string, readonly string[]>()
  for (const name of reports) {
    const { files } = JSON.parse(readFileSync(name, 'utf8')) as Report
    for (const [path, { mutants }] of Object.entries(files)) {
      if (existsSync(path))
        statuses.set(
          path,
          mutants.map(({ status }) => status),
        )
    }
  }
  return statuses
}

class Count {
  readonly #by = new Map<string, number>()

  add(status: string): void {
    this.#by.set(status, this.#of(status) + 1)
  }

  #of(status: string): number {
    return this.#by.get(status) ?? 0
  }

  /** Mutants that no test could run at all (a crash, code that does not compile) count nowhere, as in Stryker. */
  line(name: string): string {
    const [killed, late, survived, unseen] = ['Killed', 'Timeout', 'Survived', 'NoCoverage'].map((s) => this.#of(s))
    const noticed = (killed ?? 0) + (late ?? 0)
    const valid = noticed + (survived ?? 0) + (unseen ?? 0)
    const cells = [valid, killed, late, survived, unseen].map((count) => (count ?? 0).toLocaleString('en'))
    return `| ${name} | ${cells.join(' | ')} | ${((100 * noticed) / Math.max(1, valid)).toFixed(1)} % |`
  }
}

chdir(ROOT)
const { values, positionals: parts } = parseArgs({
  options: { table: { type: 'boolean', default: false }, budget: { type: 'string' } },
  allowPositionals: true,
})
if (values.budget !== undefined) process.env[BUDGET_VARIABLE] = values.budget
if (!values.table) for (const part of parts.length > 0 ? parts : folders()) await mutate(part)
console.log(table())
