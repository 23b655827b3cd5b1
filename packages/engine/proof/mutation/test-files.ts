/**
 * Which tests which mutants meet. Tests of the analysis say nothing of value about a path, and the other way round; and
 * what only repeats others at length (hostile input, differentials of the regex engines, standalone modules) would add
 * hours and few kills. A test left out can only make the score lower.
 */
import { readdirSync } from 'node:fs'

const FOLDERS = {
  core: [
    ...['attributes', 'catalogue', 'compile', 'evaluate', 'explain', 'impact', 'operator', 'path', 'projection'],
    ...['record', 'value'],
  ],
  analysis: ['diff', 'domain', 'lint', 'testing'],
  regex: ['regex', 'regex/positions', 'operator'],
  standalone: ['standalone'],
}

const ofFolder = (folder: string): readonly string[] =>
  readdirSync(new URL(`../../src/${folder}`, import.meta.url))
    .filter((name) => name.endsWith('.test.ts'))
    .sort()
    .map((name) => `packages/engine/src/${folder}/${name}`)

const CORE = FOLDERS.core.flatMap(ofFolder)
const LAWS = ['oracle', 'purity', 'regressions'].map((law) => `packages/engine/test/laws/${law}.test.ts`)
const ANALYSIS = [...FOLDERS.analysis.flatMap(ofFolder), 'packages/engine/test/lint-soundness.test.ts']
/** What only measures or compares whole engines is left out. */
const REGEX = FOLDERS.regex.flatMap(ofFolder).filter((path) => !path.endsWith('/differential.test.ts'))

/** The copy of the runtime that modules carry is not mutated, and no mutant of its sources is a copy. */
const STANDALONE = FOLDERS.standalone.flatMap(ofFolder).filter((path) => !path.endsWith('/runtime-source.test.ts'))

/** By folder of the mutant; any other folder meets the core's. */
const BY_FOLDER: Readonly<Record<string, readonly string[]>> = {
  compile: [...CORE, ...LAWS],
  diff: ANALYSIS,
  domain: ANALYSIS,
  evaluate: [...CORE, ...LAWS],
  lint: ANALYSIS,
  operator: [...CORE, ...LAWS],
  regex: REGEX,
  standalone: STANDALONE,
}

/**
 * Parts of titles of tests that take long, and the only folder whose mutants meet them: none where they watch time or
 * memory, or find what others find.
 */
const SLOW: readonly (readonly [string, string?])[] = [
  ['a chain of 20,000 rules'],
  ['asks only about rules that read related places'],
  ['keeps the state caches of all programs'],
  ['bounds the size of a program from above'],
  ['become programs of positions that match what RegExp matches'],
  ['what authoring accepts, evaluation accepts', 'operator'],
  ['an operator and its negation never hold together', 'operator'],
  ['exactly one of eq and neq, in and notIn holds', 'operator'],
  ['eq on scalars is equality of texts', 'operator'],
  ['refuses more than 5,000 distinct patterns', 'operator'],
  ['never throws and is never misconfigured'],
  ['the JSON Schema accepts too'],
  ['refuse what an editor can see', 'record'],
  ['are those of the encoded text', 'value'],
]

/** The variable by which a run tells its test runners which folder of `src` it mutates. */
export const FOLDER_VARIABLE = 'PLUMBLINE_MUTATED_FOLDER'

/** And how many milliseconds of tests one mutant meets at most, by what they take without it. */
export const BUDGET_VARIABLE = 'PLUMBLINE_MUTATION_BUDGET_MS'

export function testFilesFor(folder: string): readonly string[] {
  return BY_FOLDER[folder] ?? CORE
}

/** Whether mutants of that folder meet that test. */
export function meets(folder: string, title: string): boolean {
  const slow = SLOW.find(([part]) => title.includes(part))
  return slow === undefined || slow[1] === folder
}
