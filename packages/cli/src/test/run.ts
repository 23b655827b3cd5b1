/** Runs `plumbline test`. */
import { dirname, resolve } from 'node:path'
import { compileOptions, ruleNames } from '../authoring/rules-in-use.js'
import { type CommandRun, ExitCode, type Io, UsageError } from '../command.js'
import { resolveSettings, type Settings } from '../config/settings.js'
import { type Diagnostic, refuseProblems } from '../input/diagnostic.js'
import { diskTree } from '../input/file-tree.js'
import { findFiles, strayProblem } from '../input/find-files.js'
import { type Located, pointerPath } from '../input/located.js'
import { readDocuments } from '../input/read-documents.js'
import { isRuleTestFile, requireRules } from '../input/rules.js'
import { chooseOutputs, writeOutputs } from '../program/outputs.js'
import { createProgress } from '../program/progress.js'
import { bindTests } from './bind.js'
import { measureCoverage, totalsOf } from './coverage.js'
import type { TestFormat } from './formats.js'
import { judge } from './judge.js'
import type { TestFile } from './model.js'
import { readTestFile } from './read-test-file.js'
import { hasFindings, type TestReport, type TestResult } from './report.js'
import { renderJson } from './report-json.js'
import { renderJUnit } from './report-junit.js'
import { renderPretty } from './report-pretty.js'
import { type BoundTest, createSuite, type Suite } from './suite.js'

const renderers: Readonly<Record<TestFormat, (report: TestReport, colour: boolean) => string>> = {
  pretty: renderPretty,
  json: renderJson,
  junit: renderJUnit,
}

export const run: CommandRun = async (invocation, io) => {
  const { options } = invocation
  const outputs = chooseOutputs<TestFormat>(options.format, 'pretty', io.cwd)
  const settings = await resolveSettings(invocation, io)
  const names = invocation.arguments[0] as readonly string[]
  const sources = await readSources(await findTestFiles(names, settings, io), io)
  const suites = await bindSuites(sources, settings, io)

  const results = suites.flatMap((suite) => suite.tests.map((test) => runTest(suite, test)))
  const threshold = numberOf(options.threshold)
  const mutationThreshold = numberOf(options.mutationThreshold)
  const coverage = options.coverage === true || threshold !== null ? measureCoverage(suites) : null
  const failed = new Set(results.filter(({ mismatches }) => mismatches.length > 0).map((result) => result.test))
  const passing = suites.map((suite): Suite => ({ ...suite, tests: suite.tests.filter((test) => !failed.has(test)) }))
  const progress = createProgress(io, 'rules', options.quiet === true)
  const isMutating = options.mutate === true || mutationThreshold !== null

  const mutation = isMutating ? await import('./mutation-score.js') : null
  const report: TestReport = {
    results,
    coverage: coverage && { rules: coverage, totals: totalsOf(coverage), threshold },
    mutation: mutation && {
      score: mutation.mutationScore(passing, (done, total) => progress.update(done, total)),
      threshold: mutationThreshold,
    },
  }
  progress.clear()
  await writeOutputs(outputs, io, (format, colour) => renderers[format](report, colour))
  return hasFindings(report) ? ExitCode.findings : ExitCode.clean
}

/** Test files by name. Without names, those of the configuration, or else all below the working folder. */
async function findTestFiles(names: readonly string[], settings: Settings, io: Io): Promise<readonly string[]> {
  const configured = settings.tests.value.map((name) => resolve(settings.tests.base, name))
  const wanted = names.length > 0 ? names : configured.length > 0 ? configured : ['.']
  const found = await findFiles(diskTree, wanted, { cwd: io.cwd, accept: isRuleTestFile })
  refuseProblems(
    'test',
    found.strays.map((link) => strayProblem(link, io.cwd)),
  )
  const [nothing] = [...found.missing, ...found.unmatched]
  if (nothing === undefined) return found.files
  throw new UsageError(
    nothing === '.' ? 'no rule tests below this folder' : `no rule tests at ${nothing}`,
    'test files end in .plumbline-test.yaml; `plumbline init` writes a first one',
  )
}

interface Source {
  readonly path: string
  readonly located: Located
  readonly file: TestFile
}

async function readSources(paths: readonly string[], io: Io): Promise<Source[]> {
  const problems: Diagnostic[] = []
  const sources: Source[] = []
  for (const path of paths) {
    const parsed = await readDocuments(diskTree, path, io.cwd)
    problems.push(...parsed.problems)
    for (const located of parsed.documents) {
      const { file, issues } = readTestFile(located.value)
      for (const { pointer, message, fix } of issues) {
        problems.push({ file: located.file, position: located.positionOf(pointerPath(pointer)), message, fix })
      }
      sources.push({ path, located, file })
    }
  }
  refuseProblems('test', problems)
  return sources
}

/** One suite for each distinct list of rule names, so that rules shared by test files are loaded and counted once. */
async function bindSuites(sources: readonly Source[], settings: Settings, io: Io): Promise<Suite[]> {
  const isNamed = settings.rules.origin.kind === 'option'
  const groups = new Map<string, { names: readonly string[]; sources: Source[] }>()
  for (const source of sources) {
    const own = source.file.rules.map((name) => resolve(dirname(source.path), name))
    const names = isNamed || own.length === 0 ? ruleNames(settings) : own
    const key = JSON.stringify(names)
    const group = groups.get(key) ?? { names, sources: [] }
    group.sources.push(source)
    groups.set(key, group)
  }
  const problems: Diagnostic[] = []
  const suites: Suite[] = []
  for (const group of groups.values()) {
    const loaded = await requireRules(diskTree, group.names, io.cwd, compileOptions(settings))
    const tests: BoundTest[] = []
    for (const { path, located, file } of group.sources) {
      const source = { path, located, cwd: io.cwd, raw: settings.raw.value }
      const bound = await bindTests(file.tests, source, loaded.rules)
      tests.push(...bound.tests)
      problems.push(...bound.problems)
    }
    suites.push(createSuite(loaded.rules, loaded.ruleSet, tests))
  }
  refuseProblems('test', problems)
  return suites
}

function runTest(suite: Suite, test: BoundTest): TestResult & { readonly test: BoundTest } {
  const rules = test.ruleId === null ? suite.ruleSet : suite.sliceOf(test.ruleId)
  const mismatches = judge(rules, test.subject, test.expectation, test.ruleId)
  return { name: test.name, file: test.file, position: test.position, mismatches, test }
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}
