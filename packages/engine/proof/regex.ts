/**
 * Long run for the regular expressions: `npm run proof -- regex [--pairs N] [--patterns N] [--seed S]`.
 *
 *   memory    distinct patterns compiled, run and dropped: the heap must not grow by more than 64 MiB
 *   dialect   pattern and text pairs on whatever runs the pattern, against RegExp
 *   native    the same on RE2, for the patterns that run on RegExp
 *   positions the same on positions, for every pattern that they have room for, against RegExp
 *   engines   re2js against re2-wasm, in processes of 1,000 patterns each, since re2-wasm never frees one
 *
 * Prints a table, and for each failure what repeats it; exits 1 when there is one. The documented differences are those
 * of the engines without the adapter (test/vectors/regex-differences.json): here none is allowed.
 */

import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { re2Wasm } from '../src/re2-wasm.js'
import type { PatternNode } from '../src/regex/ast.js'
import { foldSurrogates, toEcmaScript, toRe2 } from '../src/regex/emit.js'
import { createSafeRegex } from '../src/regex/index.js'
import { MAX_POSITION_WORK } from '../src/regex/limits.js'
import { isLinearOnRegExp } from '../src/regex/native-class.js'
import { parsePattern } from '../src/regex/parse.js'
import { positionMatcher, positionProgram } from '../src/regex/positions/index.js'
import { re2js } from '../src/regex/re2js.js'
import { searchForm } from '../src/regex/search-form.js'
import { randomPattern, randomSource, randomText } from '../test/support/regex-generator.js'

const TEXTS_PER_PATTERN = 20
const MAX_GROWTH_MIB = 64
/** Each engine gets at least this share of the patterns whose memory is watched. */
const LEAST_SHARE = 0.2
const PATTERNS_PER_WASM_PROCESS = 1000
const MAX_SHOWN = 5

/**
 * Patterns that a number makes distinct, a quarter of each kind: one that runs on RegExp, one on positions, and two that
 * are small enough for re2js.
 */
const MEMORY_PATTERNS: readonly ((number: number, bound: number) => string)[] = [
  (number, bound) => `^${number}[a-z0-9-]{1,${bound}}$`,
  (number, bound) => `a[a-z]+${number}[a-z0-9-]{1,${bound}}$`,
  (number) => `a[a-z]+${number.toString(36)}x`,
  (number) => `t.*${number.toString(36)}$`,
]

interface Row {
  readonly what: string
  readonly size: string
  readonly result: string
  readonly ok: boolean
}

/** What one shard of the engine comparison reports. */
interface ShardResult {
  readonly pairs: number
  readonly differences: readonly string[]
}

if (process.argv[2] === '--shard') runShard()
else await main()

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { pairs: { type: 'string' }, patterns: { type: 'string' }, seed: { type: 'string' } },
  })
  const pairs = integer('pairs', values.pairs ?? '1000000')
  const patterns = integer('patterns', values.patterns ?? '100000')
  const seed = integer('seed', values.seed ?? '1')
  console.log(`regex proof: ${pairs} pairs, ${patterns} patterns, seed ${seed}`)
  const rows = [proveMemory(patterns, seed), ...proveDialect(pairs, seed), await proveEngines(pairs, seed)]
  for (const { what, size, result, ok } of rows) {
    console.log(`${ok ? 'ok  ' : 'FAIL'} ${what.padEnd(9)} ${size.padEnd(80)} ${result}`)
  }
  process.exitCode = rows.every((row) => row.ok) ? 0 : 1
}

function integer(option: string, text: string): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1) throw new Error(`--${option} must be a positive integer`)
  return value
}

/** Compiles distinct patterns, each in an adapter of its own as a rule set would, runs them once, and drops them. */
function proveMemory(count: number, seed: number): Row {
  const collect = globalThis.gc ?? (() => {})
  const random = randomSource(seed)
  const checkpoint = Math.max(1, Math.floor(count / 10))
  const seen = { native: 0, positions: 0, re2js: 0, 're2-wasm': 0 }
  let baseline = 0
  let most = 0
  for (let i = 0; i < count; i += 1) {
    const pattern = MEMORY_PATTERNS[i % MEMORY_PATTERNS.length]?.(i, 2 + random(60)) ?? ''
    const compiled = createSafeRegex().compile(pattern)
    compiled.test(`some-text-${i}-with-${random(1000)}`)
    seen[compiled.engine] += 1
    if ((i + 1) % checkpoint !== 0) continue
    collect()
    const used = process.memoryUsage().rss / 1024 / 1024
    // The first tenth warms the process up: code, optimised code, the young generation at its full size.
    if (baseline === 0) baseline = used
    most = Math.max(most, used)
  }
  const growth = most - baseline
  const mix = [seen.native, seen.positions, seen.re2js]
  return {
    what: 'memory',
    size: `${count} distinct patterns (${seen.native} native, ${seen.positions} positions, ${seen.re2js} re2js)`,
    result: `resident ${baseline.toFixed(0)} MiB after the first tenth, at most ${growth.toFixed(1)} MiB more`,
    ok: growth <= MAX_GROWTH_MIB && mix.every((patterns) => patterns >= LEAST_SHARE * count),
  }
}

/** Calls `visit` with accepted random patterns until it has given out the wanted number of texts. */
function eachPair(
  pairs: number,
  seed: number,
  visit: (pattern: string, node: PatternNode, texts: readonly string[]) => void,
): void {
  const random = randomSource(seed)
  let given = 0
  while (given < pairs) {
    const pattern = randomPattern(random)
    const result = parsePattern(pattern)
    if ('refusal' in result) continue
    const texts = Array.from({ length: Math.min(TEXTS_PER_PATTERN, pairs - given) }, () => randomText(random))
    given += texts.length
    visit(pattern, result.node, texts)
  }
}

function proveDialect(pairs: number, seed: number): Row[] {
  const differences: string[] = []
  const nativeDifferences: string[] = []
  const positionDifferences: string[] = []
  let onPositions = 0
  const ran = { native: 0, positions: 0, re2js: 0, 're2-wasm': 0 }
  let matches = 0
  eachPair(pairs, seed, (pattern, node, texts) => {
    const compiled = createSafeRegex().compile(pattern)
    const reference = new RegExp(pattern)
    const onRe2 = compiled.engine === 'native' ? re2js.open()(toRe2(node)) : null
    const program = positionProgram(searchForm(node))
    const positions = program.work <= MAX_POSITION_WORK ? positionMatcher(program) : null
    for (const text of texts) {
      const expected = reference.test(text)
      matches += expected ? 1 : 0
      ran[compiled.engine] += 1
      if (compiled.test(text) !== expected) differences.push(JSON.stringify([compiled.engine, pattern, text]))
      if (onRe2 !== null && onRe2(foldSurrogates(text)) !== expected) {
        nativeDifferences.push(JSON.stringify([pattern, text]))
      }
      if (positions === null) continue
      onPositions += 1
      if (positions(text) !== expected) positionDifferences.push(JSON.stringify([pattern, text]))
    }
  })
  const mix = `${ran.native} native, ${ran.positions} positions, ${ran.re2js} re2js, ${matches} match`
  return [
    differenceRow('dialect', `${pairs} pairs (${mix})`, differences),
    differenceRow('native', `${ran.native} pairs of those again on re2js`, nativeDifferences),
    differenceRow('positions', `${onPositions} pairs of all again on positions`, positionDifferences),
  ]
}

async function proveEngines(pairs: number, seed: number): Promise<Row> {
  const perShard = PATTERNS_PER_WASM_PROCESS * TEXTS_PER_PATTERN
  const differences: string[] = []
  let compared = 0
  let shards = 0
  for (let left = pairs; left > 0; left -= perShard) {
    shards += 1
    const result = await shard(Math.min(left, perShard), seed + 1_000_000 + shards)
    compared += result.pairs
    differences.push(...result.differences)
  }
  return differenceRow('engines', `${compared} pairs on re2js and re2-wasm, in ${shards} processes`, differences)
}

function differenceRow(what: string, size: string, differences: readonly string[]): Row {
  for (const difference of differences.slice(0, MAX_SHOWN)) console.log(`     ${what}: ${difference}`)
  return { what, size, result: `${differences.length} differences`, ok: differences.length === 0 }
}

function shard(pairs: number, seed: number): Promise<ShardResult> {
  return new Promise((resolve, reject) => {
    const child = fork(fileURLToPath(import.meta.url), ['--shard', String(pairs), String(seed)])
    let result: ShardResult | undefined
    child.on('message', (message) => {
      result = message as ShardResult
    })
    child.on('error', reject)
    child.on('exit', (code) => {
      if (code === 0 && result !== undefined) resolve(result)
      else reject(new Error(`the comparison of ${pairs} pairs with seed ${seed} ended with ${code}`))
    })
  })
}

function runShard(): void {
  const pairs = integer('pairs', process.argv[3] ?? '')
  const seed = integer('seed', process.argv[4] ?? '')
  const differences: string[] = []
  const onRe2js = re2js.open()
  const onRe2Wasm = re2Wasm.open()
  eachPair(pairs, seed, (pattern, node, texts) => {
    // One engine gets the pattern as written, the other the form that is searched for: the same texts must match.
    const form = searchForm(node)
    const first = onRe2js(toRe2(node))
    const second = onRe2Wasm(toRe2(form))
    const reference = isLinearOnRegExp(form) ? new RegExp(toEcmaScript(form)) : null
    for (const text of texts) {
      const folded = foldSurrogates(text)
      const verdict = first(folded)
      if (second(folded) !== verdict || (reference !== null && reference.test(text) !== verdict)) {
        differences.push(JSON.stringify([pattern, text]))
      }
    }
  })
  process.send?.({ pairs, differences } satisfies ShardResult)
  process.disconnect?.()
}
