/** The tests of a rule as the editor has them, and as a file of `plumbline test`. */
import { type Attributes, projectEntity } from '@plumbline/engine'
import { parse as parseYaml, stringify as stringifyYaml } from 'yaml'
import type { Case, CaseResult } from '../../judge/messages.js'
import type { Draft } from './draft.js'

/** A test as its author types it: the attributes may not be readable yet. */
export interface RuleCase {
  readonly name: string
  /** JSON. */
  readonly text: string
  readonly expected: 'pass' | 'fail'
}

type Members = Readonly<Record<string, unknown>>
const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const isCase = (value: unknown): value is RuleCase =>
  isMembers(value) &&
  typeof value.name === 'string' &&
  typeof value.text === 'string' &&
  (value.expected === 'pass' || value.expected === 'fail')

/**
 * @returns null for text that is not a JSON object. A `null` in it counts as absent, as it does in a test file.
 */
export function readCase({ name, text, expected }: RuleCase): Case | null {
  try {
    const value: unknown = JSON.parse(text)
    return isMembers(value) ? { name, expected, attributes: merged({}, value) as Attributes } : null
  } catch {
    return null
  }
}

/** The result of each test; null for attributes that cannot be read, and while the rule is not right. */
export type Results = readonly (CaseResult | null)[]

/** @param results those of the readable tests, in their order. */
export function resultsOf(cases: readonly RuleCase[], results: readonly CaseResult[]): Results {
  let at = 0
  return cases.map((each) => (readCase(each) === null ? null : (results[at++] ?? null)))
}

export const failingOf = (cases: readonly RuleCase[], results: Results): number =>
  cases.filter(({ expected }, at) => results[at]?.actual !== expected).length

export const caseOf = (name: string, attributes: unknown, expected: 'pass' | 'fail'): RuleCase => ({
  ...{ name, expected },
  text: JSON.stringify(attributes, null, 2),
})

/** What keeps the tests from being a file: names that are empty or that two tests have, and attributes without sense. */
export function canExport(draft: Draft, cases: readonly RuleCase[]): boolean {
  const names = new Set(cases.map(({ name }) => name))
  const isNamed = typeof draft.name === 'string' && draft.name !== '' && !names.has('')
  return isNamed && cases.length > 0 && names.size === cases.length && cases.every((each) => readCase(each) !== null)
}

/** The content of a file that `plumbline test` reads. `raw`: the attributes are already as rules read them. */
export function writeTestFile(draft: Draft, cases: readonly RuleCase[]): string {
  const under = (expected: 'pass' | 'fail') => {
    const some = cases.flatMap((each) => {
      const read = each.expected === expected ? readCase(each) : null
      return read === null ? [] : [[read.name, read.attributes] as const]
    })
    return some.length === 0 ? {} : { [expected]: Object.fromEntries(some) }
  }
  const group = { rule: draft.name, raw: true, ...under('pass'), ...under('fail') }
  return stringifyYaml({ target: draft.target, tests: [group] }, { aliasDuplicateObjects: false })
}

export type ReadFile = { readonly cases: readonly RuleCase[]; readonly left: number } | { readonly problem: string }

/** The cases of this rule in a test file. `left` counts the tests that are about something else. */
export function readTestFile(text: string, draft: Draft, ruleId: string | null): ReadFile {
  try {
    const file: unknown = parseYaml(text, { maxAliasCount: 0 })
    if (!isMembers(file) || !Array.isArray(file.tests)) return { problem: 'no list under `tests`' }
    const { tests } = file
    const isOfRule = (name: unknown) => name === draft.name || (ruleId !== null && name === ruleId)
    const read = tests.map((entry) => (isMembers(entry) && isOfRule(entry.rule) ? casesOf(entry, file, draft) : []))
    return { cases: read.flat(), left: read.filter((each) => each.length === 0).length }
  } catch (error) {
    return { problem: (error as Error).message }
  }
}

/** Inner settings override those of the file; `base` is merged. */
function casesOf(entry: Members, file: Members, draft: Draft): RuleCase[] {
  const base = merged(file.base ?? {}, entry.base ?? {})
  const isRaw = (entry.raw ?? file.raw) === true
  const target = draft.target === 'plugin' ? 'plugin' : 'pipeline'
  const attributesOf = (given: unknown) => {
    const attributes = merged(base, given ?? {}) as Attributes
    return isRaw ? attributes : projectEntity(target, attributes)
  }
  if (typeof entry.name === 'string') {
    const outcome = isMembers(entry.expect) ? entry.expect.outcome : entry.expect
    if ((outcome !== 'pass' && outcome !== 'fail') || entry.file !== undefined) return []
    return [caseOf(entry.name, attributesOf(entry.given), outcome)]
  }
  return (['pass', 'fail'] as const).flatMap((expected) => {
    const some = entry[expected]
    return isMembers(some)
      ? Object.entries(some).map(([name, given]) => caseOf(name, attributesOf(given), expected))
      : []
  })
}

/** A JSON merge patch (RFC 7396), by which a test file lays cases over their base. */
function merged(base: unknown, patch: unknown): unknown {
  if (!isMembers(patch)) return patch
  const members = new Map<string, unknown>(isMembers(base) ? Object.entries(base) : [])
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) members.delete(key)
    else members.set(key, merged(members.get(key), value))
  }
  return Object.fromEntries(members)
}
