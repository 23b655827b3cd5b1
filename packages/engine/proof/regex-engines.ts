/**
 * The measurements behind ADR 1: `npx tsx packages/engine/proof/regex-engines.ts`.
 *
 * Processor time to compile and match plugin-style patterns on each engine, how many patterns re2-wasm takes before its heap
 * ends (in a process of its own), and the slowest answers on 64 KiB of text written against the pattern.
 */

import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { re2Wasm } from '../src/re2-wasm.js'
import { foldSurrogates, toRe2 } from '../src/regex/emit.js'
import type { RegexEngine } from '../src/regex/engine.js'
import { createSafeRegex } from '../src/regex/index.js'
import { MAX_TEXT_UNITS } from '../src/regex/limits.js'
import { parsePattern } from '../src/regex/parse.js'
import { re2js } from '../src/regex/re2js.js'
import { randomSource } from '../test/support/regex-generator.js'

type Matcher = (text: string) => boolean

const PATTERNS: readonly (readonly [pattern: string, texts: readonly string[]])[] = [
  ['^[a-z][a-z0-9-]{1,63}$', ['terraform-plan', 'docker-build-push', 'Bad Name', 'x']],
  ['^\\d+\\.\\d+\\.\\d+$', ['1.2.3', '10.20.30', '1.2', 'latest']],
  ['^(dev|staging|production)$', ['dev', 'production', 'test', 'stage']],
  ['^[a-z0-9]([a-z0-9-]*[a-z0-9])?$', ['node-lint', 'a', '-a', 'go-test-']],
  ['(^|/)\\.\\.(/|$)', ['dist/app', '../up', 'a/../b', 'reports']],
]

const MATCHES = 300_000
const COMPILES = 2000
/** re2-wasm never frees a program, so it gets far fewer. */
const COMPILES_WASM = 100

if (process.argv[2] === '--fill-wasm') fillWasm()
else {
  matching()
  compiling()
  await memory()
  worst()
}

function node(pattern: string) {
  const result = parsePattern(pattern)
  if ('refusal' in result) throw new Error(`${pattern}: ${result.refusal.message}`)
  return result.node
}

function onEngine(engine: RegexEngine, pattern: string): Matcher {
  const program = engine.open()(toRe2(node(pattern)))
  return (text) => program(foldSurrogates(text))
}

/** Processor time of a run in µs: a busy machine makes it last longer, not cost more. */
function microseconds(run: () => void): number {
  const started = process.cpuUsage()
  run()
  const { user, system } = process.cpuUsage(started)
  return user + system
}

function nanoseconds(run: () => void, times: number): number {
  const total = microseconds(() => {
    for (let i = 0; i < times; i += 1) run()
  })
  return (total * 1000) / times
}

function matching(): void {
  console.log('match, warm, ns'.padEnd(40), ['re2-wasm', 're2js', 'RegExp', 'SafeRegex', 'runs on'].join('  '))
  for (const [pattern, texts] of PATTERNS) {
    const compiled = createSafeRegex().compile(pattern)
    const native = new RegExp(pattern)
    const matchers: Matcher[] = [
      onEngine(re2Wasm, pattern),
      onEngine(re2js, pattern),
      (text) => native.test(text),
      (text) => compiled.test(text),
    ]
    const figures = matchers.map((matches) => {
      const round = () => {
        for (const text of texts) matches(text)
      }
      nanoseconds(round, 2000)
      return (nanoseconds(round, MATCHES / texts.length / 4) / texts.length).toFixed(0).padStart(8)
    })
    console.log(pattern.padEnd(40), figures.join('  '), ` ${compiled.engine}`)
  }
}

function compiling(): void {
  const sources = (count: number) => Array.from({ length: count }, (_, i) => `^[a-z][a-z0-9-]{1,63}x${i}$`)
  const each = (count: number, compile: (pattern: string) => unknown) => {
    const patterns = sources(count)
    const total = microseconds(() => {
      for (const pattern of patterns) compile(pattern)
    })
    return (total / count).toFixed(0)
  }
  const wasm = re2Wasm.open()
  const js = re2js.open()
  console.log('\ncompile, µs')
  console.log(`  re2-wasm             ${each(COMPILES_WASM, (pattern) => wasm(toRe2(node(pattern))))}`)
  console.log(`  re2js                ${each(COMPILES, (pattern) => js(toRe2(node(pattern))))}`)
  console.log(`  RegExp               ${each(COMPILES, (pattern) => new RegExp(pattern).test(''))}`)
  console.log(`  SafeRegex, authoring ${each(COMPILES, (pattern) => createSafeRegex().compile(pattern))}`)
}

function memory(): Promise<void> {
  return new Promise((resolve) => {
    const child = fork(fileURLToPath(import.meta.url), ['--fill-wasm'], { silent: true })
    let taken = 0
    child.on('message', (count) => {
      taken = Number(count)
    })
    child.on('exit', () => {
      console.log(`\nre2-wasm takes ${taken} distinct patterns; then its heap has ended for the process`)
      resolve()
    })
  })
}

function fillWasm(): void {
  const compile = re2Wasm.open()
  let count = 0
  try {
    for (; count < 100_000; count += 1) compile(toRe2(node(`^[a-z][a-z0-9-]{1,63}x${count}$`)))('some-text')
  } catch {
    // The heap ended: the count is the measurement.
  }
  process.send?.(count)
  process.disconnect?.()
}

/** Patterns with large programs or many states, on texts that keep all of them busy. */
function worst(): void {
  const random = randomSource(7)
  const ab = Array.from({ length: MAX_TEXT_UNITS }, () => 'ab'[random(2)]).join('')
  console.log('\nslowest answers on 64 KiB, ms (cost is the bound of program instructions)')
  for (const pattern of [
    'a[a-z]+x',
    '^.*a.*b.*[cd]',
    '^(a|b)*a(a|b){12}[cd]',
    'a[ab]{30}[cd]',
    'a[ab]{100}[cd]',
    'a[ab]{300}[cd]',
    'a[ab]{1000}[cd]',
    'b.{0,450}[yz]',
    'b(?:ab?|b){100}[yz]',
    '(?:[ab]{0,5}b){60}[cd]',
    'a(?:(?:a|b)(?:b|a)?(?:a|ab)?){50}c',
  ]) {
    const regex = createSafeRegex()
    const compiled = regex.compile(pattern)
    if (regex.check(pattern, 100) !== null) continue
    const onRe2js = onEngine(re2js, pattern)
    const times = Array.from({ length: 3 }, () => microseconds(() => compiled.test(ab)) / 1000)
    const instead = Array.from({ length: 3 }, () => microseconds(() => onRe2js(ab)) / 1000)
    console.log(
      `  ${pattern.padEnd(30)} cost ${String(regex.cost(pattern)).padEnd(5)} ${Math.max(...times)
        .toFixed(1)
        .padStart(6)} on ${compiled.engine}, ${Math.max(...instead).toFixed(1)} on re2js`,
    )
  }
}
