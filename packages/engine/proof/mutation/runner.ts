/**
 * A test runner for Stryker that meets thousands of mutants in minutes. Stryker mutates, plans and reports; this runs
 * the tests: in process, on bundles that start afresh for every mutant, the tests most likely to notice it first, up to
 * the first that does.
 *
 * - Everything a file runs while it loads counts as covered by its tests, and is run again for each mutant. So no
 *   mutant is "static" in Stryker's sense, and none has to meet tests that never load it.
 * - A mutant that does not end is stopped inside the process, once it has used (not just waited for) the time that
 *   many runs of the test take. Stryker's own timeout, which kills the process, is the second line.
 * - Properties run with the seed of `npm test`, and without shrinking: what fails is all that counts.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { cpuUsage, cwd, env } from 'node:process'
import { runInThisContext } from 'node:vm'
import { expect, vi } from 'vitest'
import { bundle, type TestFile } from './bundle.js'
import { type CollectedTest, collect } from './suite.js'
import { BUDGET_VARIABLE, FOLDER_VARIABLE, meets, testFilesFor } from './test-files.js'

const SEED = 20261121
/** A test is stopped after so many times its own duration … */
const PATIENCE = 20
/** … but not before so many milliseconds. */
const LEAST_LIMIT_MS = 1000
/** Where a run keeps the durations that its later processes need; in Stryker's copy of the repository. */
const DURATIONS = 'mutation-durations.json'

/** What instrumented code reads and writes. */
interface Instrumentation {
  activeMutant?: string | undefined
  currentTestId?: string | undefined
  hitCount?: number | undefined
  hitLimit?: number | undefined
  mutantCoverage?: { static: Hits; perTest: Record<string, Hits> } | undefined
}
type Hits = Record<string, number>

interface MutantRun {
  readonly activeMutant: { readonly id: string; readonly fileName: string }
  readonly testFilter?: readonly string[]
  readonly hitLimit?: number
  readonly disableBail: boolean
}

class Stopped extends Error {}

class EngineTestRunner {
  readonly #folder = env[FOLDER_VARIABLE] ?? ''
  readonly #budgetMs = Number(env[BUDGET_VARIABLE] ?? Number.POSITIVE_INFINITY)
  readonly #code: Instrumentation = (Reflect.get(globalThis, '__stryker__') as Instrumentation | undefined) ?? {}
  #files: readonly TestFile[] = []
  #durations: Record<string, number> = {}

  capabilities() {
    return { reloadEnvironment: true }
  }

  async init(): Promise<void> {
    Reflect.set(globalThis, '__stryker__', this.#code)
    const fc = createRequire(join(cwd(), 'package.json'))('fast-check') as typeof import('fast-check')
    fc.configureGlobal({ seed: SEED, endOnFailure: true })
    this.#files = await bundle(cwd(), testFilesFor(this.#folder))
    if (existsSync(DURATIONS)) this.#durations = JSON.parse(readFileSync(DURATIONS, 'utf8'))
  }

  /** Runs every test once, unmutated: who covers what, and how long it takes. */
  async dryRun() {
    const tests: { id: string; name: string; status: number; timeSpentMs: number; fileName: string }[] = []
    const coverage: Record<string, Hits> = {}
    this.#code.activeMutant = undefined
    for (const file of this.#files) {
      this.#code.mutantCoverage = { static: {}, perTest: {} }
      const loading = performance.now()
      const collected = this.#collect(file, true)
      this.#durations[file.path] = performance.now() - loading
      for (const test of collected) {
        const id = idOf(file, test)
        this.#code.currentTestId = id
        const start = performance.now()
        try {
          await test.run()
        } catch (error) {
          return { status: 'error', errorMessage: `${id} fails without a mutant: ${String(error)}` }
        } finally {
          this.#code.currentTestId = undefined
        }
        this.#durations[id] = performance.now() - start
        tests.push({ id, name: id, status: 0, timeSpentMs: this.#durations[id], fileName: join(cwd(), file.path) })
      }
      const { static: loaded, perTest } = this.#code.mutantCoverage
      for (const test of collected) coverage[idOf(file, test)] = sum(loaded, perTest[idOf(file, test)])
    }
    writeFileSync(DURATIONS, JSON.stringify(this.#durations))
    return { status: 'complete', tests, mutantCoverage: { static: {}, perTest: coverage } }
  }

  async mutantRun(run: MutantRun) {
    // A machine that is busy with other work can eat up a limit; then the mutant gets a longer one.
    for (let patience = 1; ; patience *= 4) {
      try {
        return await this.#meet(run, patience)
      } catch (error) {
        if (!(error instanceof Stopped)) throw error
        if (error.message !== '') return { status: 'timeout', reason: error.message }
        // Counted nowhere: nothing is known of the mutant.
        if (patience > 16) return { status: 'error', errorMessage: 'the machine is too busy to tell' }
      }
    }
  }

  async #meet({ activeMutant, testFilter, hitLimit, disableBail }: MutantRun, patience: number) {
    Object.assign(this.#code, { activeMutant: activeMutant.id, hitCount: 0, hitLimit })
    const own = `/src/${this.#folder}/`
    const weight = (id: string) => (this.#durations[id] ?? 0) * (id.includes(own) ? 0.05 : 1)
    const ids = [...(testFilter ?? [])].sort((a, b) => weight(a) - weight(b))
    const loaded = new Map<string, Map<string, CollectedTest> | Error>()
    const killers: { id: string; message: string }[] = []
    let ran = 0
    let budgetMs = this.#budgetMs
    for (const id of ids) {
      const costMs = this.#durations[id] ?? 0
      if (costMs > budgetMs) continue
      budgetMs -= costMs
      const path = fileOf(id)
      let tests = loaded.get(path)
      if (tests === undefined) {
        tests = this.#load(path, patience)
        loaded.set(path, tests)
      }
      const failure = tests instanceof Error ? tests : await this.#failure(tests.get(id), id, patience)
      ran += 1
      if ((this.#code.hitCount ?? 0) > (hitLimit ?? Number.POSITIVE_INFINITY)) {
        return { status: 'timeout', reason: `reached ${hitLimit} times, a hundred times as often as without it` }
      }
      if (failure === undefined) continue
      killers.push({ id, message: String(failure.message) })
      if (!disableBail) break
    }
    const [first] = killers
    if (first === undefined) return { status: 'survived', nrOfTests: ran }
    return { status: 'killed', killedBy: killers.map(({ id }) => id), failureMessage: first.message, nrOfTests: ran }
  }

  #load(path: string, patience: number): Map<string, CollectedTest> | Error {
    const file = this.#files.find((each) => each.path === path)
    if (file === undefined) throw new Error(`no test file ${path}`)
    try {
      const tests = limited(() => this.#collect(file, false), this.#limit(path), patience)
      return new Map(tests.map((test) => [idOf(file, test), test]))
    } catch (error) {
      return asFailure(error)
    }
  }

  async #failure(test: CollectedTest | undefined, id: string, patience: number): Promise<Error | undefined> {
    try {
      // A table of cases that the mutant made shorter: the tests that are left decide.
      await (test && limited(test.run, this.#limit(id), patience))
      return undefined
    } catch (error) {
      return asFailure(error)
    }
  }

  #limit(of: string): number {
    return Math.ceil(Math.max(LEAST_LIMIT_MS, (this.#durations[of] ?? 0) * PATIENCE))
  }

  #collect(file: TestFile, counted: boolean): readonly CollectedTest[] {
    return collect({ expect, vi }, (module) => file.load(module, counted)).filter(({ name }) =>
      meets(this.#folder, name),
    )
  }
}

function idOf(file: TestFile, test: CollectedTest): string {
  return `${file.path}#${test.name}`
}

function fileOf(id: string): string {
  return id.slice(0, id.indexOf('#'))
}

function sum(one: Hits, other: Hits = {}): Hits {
  const total = { ...one }
  for (const [id, hits] of Object.entries(other)) total[id] = (total[id] ?? 0) + hits
  return total
}

/**
 * Stops the action after `patience` times `ms`.
 *
 * @throws Stopped with a reason when it worked for at least half of `ms`, without one when it rather waited
 */
function limited<Result>(action: () => Result, ms: number, patience: number): Result {
  const before = cpuUsage()
  Reflect.set(globalThis, LIMITED, action)
  try {
    return runInThisContext(`globalThis.${LIMITED}()`, { timeout: ms * patience }) as Result
  } catch (error) {
    if ((error as { code?: unknown } | null)?.code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
    const { user, system } = cpuUsage(before)
    throw new Stopped((user + system) / 1000 > ms / 2 ? `no end after ${ms * patience} ms` : '')
  }
}
const LIMITED = '__plumblineLimited'

function asFailure(error: unknown): Error {
  if (error instanceof Stopped) throw error
  return error instanceof Error ? error : new Error(String(error))
}

/** Stryker asks for the plugins of a module by this name. */
export const strykerPlugins = [
  { kind: 'TestRunner', name: 'engine', factory: Object.assign(() => new EngineTestRunner(), { inject: [] }) },
]
