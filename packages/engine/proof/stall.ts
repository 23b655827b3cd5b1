/**
 * The longest time that hostile input keeps the engine busy: compile, validate, evaluate, explain, limits, paths, patterns.
 *
 * Time is processor time, and what looks slow is repeated: the smallest of some runs counts, so that garbage collection
 * and other programs on the machine are not blamed on the input. What still looks long is repeated after pauses, each time
 * beside a loop of known length: a host that lends half its processor to others slows down both.
 */
import {
  type Attributes,
  checkAttributes,
  compileRules,
  createSafeRegex,
  explain,
  parseFieldPath,
  type Rule,
  validateRule,
} from '../src/index.js'
import { hostileAttributes, hostilePath, hostilePattern, hostileRule, hostileText } from './hostile-input.js'
import { Random } from './random.js'
import { processorMs, slowness } from './slowness.js'

export interface Stall {
  readonly ms: number
  readonly what: string
}

const RULES: readonly Rule[] = ['a', 'env', 'tags', 'name', '$count($keys(a))', 'a.a.a'].flatMap((field, index) => [
  { name: `deep ${index}`, target: 'plugin', field, operator: 'eq', value: [[1], { a: 1 }] },
  { name: `text ${index}`, target: 'plugin', field, operator: 'contains', value: 'zz' },
  { name: `list ${index}`, target: 'plugin', field, operator: 'in', value: ['zz', 'yy'] },
  { name: `size ${index}`, target: 'plugin', field, operator: 'countLt', value: -1 },
  { name: `match ${index}`, target: 'plugin', field, operator: 'regex', value: '^[a-z]+@[a-z]+$' },
])

const AGAIN = 3
const LONG_MS = 25
const PAUSES = 12
const PAUSE_MS = 250

const wait = (ms: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

export function longestStall(seed: number, inputs: number): Stall {
  const random = new Random(seed, 1)
  const ruleSet = compileRules(RULES)
  let longest: Stall = { ms: 0, what: 'nothing' }
  const watch = (what: () => string, run: () => unknown): void => {
    let ms = processorMs(run)
    if (ms <= longest.ms) return
    for (let again = 0; again < AGAIN; again++) ms = Math.min(ms, processorMs(run))
    for (let pause = 0; pause < PAUSES && ms > LONG_MS; pause++) {
      wait(PAUSE_MS)
      ms = Math.min(ms, processorMs(run) / slowness())
    }
    if (ms > longest.ms) longest = { ms, what: what().slice(0, 160) }
  }
  for (let i = 0; i < inputs; i++) {
    const path = hostilePath(random)
    watch(
      () => `path ${path}`,
      () => parseFieldPath(path),
    )
    const [pattern, text] = [hostilePattern(random), hostileText(random)]
    const regex = createSafeRegex()
    if (regex.check(pattern, 100) === null) {
      watch(
        () => `pattern ${pattern} on ${text.length} units`,
        () => quietly(() => regex.compile(pattern).test(text.slice(0, 65_536))),
      )
    }
    const attributes = hostileAttributes(random) as Attributes
    const keys = () => `attributes with ${Object.keys(attributes).join(', ')}`
    watch(keys, () => ruleSet.evaluate(attributes))
    watch(keys, () => checkAttributes(attributes))
    if (i % 10 === 0) watch(keys, () => explain(ruleSet, attributes))
    const rule = hostileRule(random) as Rule
    watch(
      () => `rule ${String(Object.keys(rule ?? {}))}`,
      () => [validateRule(rule), compileRules([rule]).evaluate({ a: 'aaaa!' })],
    )
  }
  return longest
}

/** An engine fault is a documented throw. */
function quietly(run: () => unknown): void {
  try {
    run()
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'RegexEngineFault') throw error
  }
}
