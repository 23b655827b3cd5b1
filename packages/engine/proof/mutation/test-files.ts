/**
 * Which tests which mutants meet. Tests of the analysis say nothing of value about a path, and the other way round; and
 * what only repeats others at length (hostile input, differentials of the regex engines, standalone modules) would add
 * hours and few kills. A test left out can only make the score lower.
 */
const source = (...names: readonly string[]) => names.map((name) => `packages/engine/src/${name}.test.ts`)

const CORE = [
  ...source('attributes/check-attributes', 'catalogue/catalogue', 'compile/compile-rules', 'evaluate/evaluate'),
  ...source('explain/explain', 'impact/preview-impact', 'operator/operand', 'path/field-path', 'projection/projection'),
  ...source('record/records', 'record/validate-rule', 'value/value'),
  ...['oracle', 'purity', 'regressions'].map((law) => `packages/engine/test/laws/${law}.test.ts`),
]
const ANALYSIS = source('diff/diff-rules', 'domain/formula', 'domain/text-search', 'lint/lint-rules')
const REGEX = [
  ...source('regex/golden-differences', 'regex/native-class', 'regex/parse', 'regex/safe-regex', 'regex/search-form'),
  ...source('operator/operand'),
]

/** By folder of the mutant; any other folder meets the core's. */
const BY_FOLDER: Readonly<Record<string, readonly string[]>> = {
  diff: ANALYSIS,
  domain: ANALYSIS,
  lint: ANALYSIS,
  regex: REGEX,
}

/** Parts of titles of tests that take a second or more and watch over nothing but time or memory. */
const LEFT_OUT = [
  'a chain of 20,000 rules',
  'asks only about rules that read related places',
  'keeps the state caches of all programs',
  'bounds the size of a program from above',
]

export const TEST_FILES = [...new Set([...CORE, ...ANALYSIS, ...REGEX])]

export function testsFor(folder: string): ReadonlySet<string> {
  return new Set(BY_FOLDER[folder] ?? CORE)
}

export function isLeftOut(title: string): boolean {
  return LEFT_OUT.some((part) => title.includes(part))
}
