/** No regular expression takes more than linear time, neither in the sources nor in the schemas of requests. */
import { fullFormats } from 'ajv-formats/dist/formats.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Operation } from '../../packages/server/src/runtime/operation/operation.js'
import { allOperations } from '../../packages/server/test/support/operations.js'
import { patternsIn } from '../patterns/in-sources.js'
import { type SuperLinear, superLinear } from '../patterns/super-linear.js'
import { sourceFiles } from './sources.js'

/** Code that runs for users, and the scripts. */
const files = sourceFiles().filter(
  ({ path }) =>
    /\.(ts|tsx|mjs|cjs)$/.test(path) &&
    /^(packages|examples|scripts)\//.test(path) &&
    !/(^|\/)(test|proof)\/|\.test(-d)?\.ts$/.test(path),
)

/**
 * Expressions that are put together at run time: from which parts, and why they are linear. Do not add to this list.
 */
const WHEN_RUNNING: Readonly<Record<string, string>> = {
  'packages/audit-chain/src/event/seal.ts': 'one class of characters',
  'packages/engine/src/regex/safe-regex.ts': 'patterns of rules, whose static check is `safe-regex.test.ts`',
  'packages/engine/tsup.config.ts': 'names of packages, between both ends of a text',
  'packages/server/src/ai/fake/brain.ts': 'words of a list in the file',
  'packages/server/src/billing/fake/card/routes.ts': 'paths of the file, between both ends, with one class for an id',
  'packages/server/src/runtime/blobs/s3-answers.ts': 'names of elements; the repeat takes no `<`',
  'packages/server/src/runtime/http/coerce.ts': 'the patterns of the schemas, which are checked here',
  'packages/server/src/runtime/http/multipart.ts': 'names of parameters in a header, of which Node bounds the size',
  'scripts/patterns/positions.ts': 'one character of a pattern',
}

/** Files that read only the sources of this repository, which no user sends. Do not add to this list. */
const OF_THE_REPOSITORY: readonly string[] = ['scripts/folder-circles.ts']

const shown = ({ prefix, pump, suffix }: SuperLinear): string => JSON.stringify([prefix, pump, suffix])

function faultOf(source: string, flags: string): string | null {
  const found = superLinear(source, flags)
  return found === null ? null : `/${source}/${flags} on ${shown(found)}, the second many times`
}

test('no regular expression of the sources is super-linear', () => {
  const found = files.flatMap(({ path, text }) => patternsIn(path, text).map((each) => ({ path, ...each })))
  expect(found.length).toBeGreaterThan(300)
  const faults = found.flatMap(({ path, source, flags }) => {
    const isKnown = source === null || OF_THE_REPOSITORY.includes(path)
    const fault = isKnown ? null : faultOf(source, flags)
    return fault === null ? [] : [`${path}: ${fault}`]
  })
  expect(faults).toEqual([])
  const whenRunning = found.filter(({ source }) => source === null).map(({ path }) => path)
  expect([...new Set(whenRunning)].sort()).toEqual(Object.keys(WHEN_RUNNING).sort())
})

interface Described {
  readonly pattern?: unknown
  readonly patternProperties?: unknown
  readonly format?: unknown
}

/** The faults of a schema and of every schema inside it, by its patterns and formats. */
function faultsOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { pattern, patternProperties, format } = schema as Described
  const named = typeof format === 'string' ? fullFormats[format as keyof typeof fullFormats] : undefined
  const own = [pattern, ...Object.keys(patternProperties ?? {})].flatMap((each) =>
    // Ajv compiles patterns with this flag.
    typeof each === 'string' ? [{ source: each, flags: 'u' }] : [],
  )
  const patterns = named instanceof RegExp ? [...own, named] : own
  const faults = patterns.flatMap(({ source, flags }) => faultOf(source, flags) ?? [])
  return [...faults, ...Object.values(schema).flatMap(faultsOf)]
}

const inputsOf = ({ name, input }: Operation): string[] =>
  faultsOf([input.path, input.query, input.body]).map((fault) => `${name}: ${fault}`)

test('no pattern or format of an input is super-linear', async () => {
  const operations = await allOperations()
  expect(operations.length).toBeGreaterThan(200)
  expect(operations.flatMap(inputsOf)).toEqual([])
})

test('what once kept a server busy is found', () => {
  const BAD: readonly (readonly [string, string])[] = [
    ['^[Hh][Tt][Tt][Pp][Ss]?://[^\\s/]+\\S*$', 'u'],
    ['\\$\\{([A-Z]+):\\+([^}]*)\\}', 'g'],
    ['\\beyJ[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]+', 'g'],
    ['/+$', ''],
    ['^(\\w+\\s?)+$', ''],
    ['^(a|aa)+$', ''],
    ['^(a*)*$', ''],
    ['(?:ab)*(?:ab)*c', ''],
    ['^[^@]{1,2000}[^,]{1,2000}@$', ''],
    ['^```sh\\n([\\s\\S]*?)^```$', 'gm'],
  ]
  const GOOD: readonly (readonly [string, string])[] = [
    ['^[Hh][Tt][Tt][Pp][Ss]?://[^\\s/]\\S*$', 'u'],
    ['\\$\\{([A-Z]{1,20}):\\+([^}$]{0,90})\\}', 'g'],
    ['(?<!/)/+$', ''],
    ['^(?:\\w+\\s)+$', ''],
    ['\\?.*$', 's'],
    ['^(?:x*y)*x*$', ''],
    ['(?<![\\w-])[\\w-]+\\.[\\w-]+', ''],
    ['\\d+(?:\\.\\d+)*', 'g'],
    ['\\b(?=[0-9a-f]*\\d)[0-9a-f]{7,64}\\b', 'g'],
  ]
  for (const [source, flags] of BAD) expect(superLinear(source, flags), source).not.toBeNull()
  for (const [source, flags] of GOOD) expect(superLinear(source, flags), source).toBeNull()
  expect(faultsOf({ items: { pattern: '^a+a+$' } })).toHaveLength(1)
  expect(faultsOf({ patternProperties: { '^(a+)+$': {} } })).toHaveLength(1)
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of a source
  expect(patternsIn('a.ts', "const A = '(a+)+'\nnew RegExp(`^${A}$`)").map(({ source }) => source)).toEqual(['^(a+)+$'])
})

// The same question for a backtracking matcher that counts its steps.

type Tree =
  | { readonly kind: 'char'; readonly char: string }
  | { readonly kind: 'then' | 'or'; readonly parts: readonly Tree[] }
  | { readonly kind: 'many'; readonly of: Tree; readonly least: 0 | 1; readonly most: number }

const trees = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom('a', 'b').map((char): Tree => ({ kind: 'char', char })),
    fc.record({ kind: fc.constantFrom('then', 'or'), parts: fc.array(tie('tree'), { minLength: 2, maxLength: 3 }) }),
    fc.record({
      kind: fc.constant('many'),
      of: tie('tree'),
      least: fc.constantFrom(0, 1),
      most: fc.constantFrom(1, Number.POSITIVE_INFINITY),
    }),
  ) as fc.Arbitrary<Tree>,
})).tree

function written(tree: Tree): string {
  if (tree.kind === 'char') return tree.char
  if (tree.kind === 'then') return tree.parts.map(written).join('')
  if (tree.kind === 'or') return `(?:${tree.parts.map(written).join('|')})`
  const sign = tree.most === 1 ? (tree.least === 1 ? '{1}' : '?') : tree.least === 1 ? '+' : '*'
  return `(?:${written(tree.of)})${sign}`
}

const STEPS_MAX = 200_000

/** The number of character comparisons until the whole text matches or fails. */
function stepsOf(tree: Tree, text: string): number {
  let steps = 0
  const match = (part: Tree, at: number, go: (at: number) => boolean): boolean => {
    if (steps > STEPS_MAX) return true
    if (part.kind === 'char') {
      steps += 1
      return text[at] === part.char && go(at + 1)
    }
    if (part.kind === 'or') return part.parts.some((each) => match(each, at, go))
    if (part.kind === 'then') {
      const [first, ...rest] = part.parts
      return first === undefined ? go(at) : match(first, at, (to) => match({ kind: 'then', parts: rest }, to, go))
    }
    const { of, least, most } = part
    const again = (times: number, from: number): boolean =>
      (times < most && match(of, from, (to) => (to > from || times < least) && again(times + 1, to))) ||
      (times >= least && go(from))
    return again(0, at)
  }
  match(tree, 0, (at) => at === text.length)
  return steps
}

const PUMPS = ['a', 'b', 'ab', 'ba', 'aab', 'abb', 'aa', 'aba', 'bab']
/** Twice the text takes four times the steps if the time is quadratic, and twice the steps if it is linear. */
const isSquare = (few: number, many: number) => many > STEPS_MAX || (many > 400 && many > 2.9 * few)

test('what it calls super-linear takes a matcher that long, and nothing else does', () => {
  fc.assert(
    fc.property(trees, (tree) => {
      const found = superLinear(`^(?:${written(tree)})$`, '')
      const steps = (prefix: string, pump: string, suffix: string, times: number) =>
        stepsOf(tree, prefix + pump.repeat(times) + suffix)
      if (found !== null) {
        const { prefix, pump, suffix } = found
        // Whether a text of one character fails may depend on whether its length is odd or even.
        const isSlow = [0, 1, 2].some((more) =>
          [suffix, `${suffix}!`].some((end) =>
            isSquare(steps(prefix, pump, end, 64 + more), steps(prefix, pump, end, 128 + more)),
          ),
        )
        expect(isSlow, `${written(tree)} ${shown(found)}`).toBe(true)
      } else {
        for (const pump of PUMPS)
          for (const prefix of ['', 'a', 'b'])
            for (const suffix of ['', '!', 'a', 'b!'])
              if (isSquare(steps(prefix, pump, suffix, 100), steps(prefix, pump, suffix, 200)))
                expect.fail(`${written(tree)} on ${JSON.stringify([prefix, pump, suffix])}`)
      }
    }),
    { numRuns: 300 },
  )
})
