/**
 * The domain of texts. The constants of the checks are tried one by one; then the language that the checks leave is
 * searched.
 *
 * Checks read a text in several ways: its length, its number of lines, the number it may stand for, patterns and
 * substrings. Each reading is a deterministic automaton, when an exact one exists. A demand that is left out only makes
 * the language larger, so `none` stays a proof. Every text that is found is tested with the engine's own checks.
 */

import type { Check } from '../operator/check.js'
import { Op } from '../operator/op.js'
import { single } from '../regex/char-set.js'
import { MAX_TEXT_UNITS } from '../regex/limits.js'
import { parsePattern } from '../regex/parse.js'
import { found, type Literal, none, type Search, unknown } from './literal.js'
import {
  hasInteger,
  type IntegerSet,
  integersMeeting,
  type NumberCell,
  type NumberTest,
  openCells,
  someIntegers,
} from './number-domain.js'
import { countMachine, listMachine, patternMachine, substringMachine, type TextMachine } from './text-machine.js'
import { type Demand, listTexts, searchText } from './text-search.js'

/** Larger bounds are not counted unit by unit. */
const MAX_COUNTED = 600
const LINE_FEED = 0x0a

const machineOf = (pattern: string): TextMachine | null => {
  const parsed = parsePattern(pattern)
  return 'node' in parsed ? patternMachine(parsed.node) : null
}

/** An automaton caches the states it has visited, so each check keeps its automaton. */
const machines = new WeakMap<Check, TextMachine | null>()

const machineFor = (check: Check): TextMachine | null => {
  const known = machines.get(check)
  if (known !== undefined) return known
  const machine = check.op === Op.matches ? machineOf(check.text) : substringMachine(check.text)
  machines.set(check, machine)
  return machine
}

const decimalText = '^\\s*[+-]?(?:\\d+(?:\\.\\d*)?|\\.\\d+)(?:[eE][+-]?\\d+)?\\s*$'
/** Matches every text that `String` makes of a number, and some others. */
const numberText = '^-?\\d+(?:\\.\\d+)?(?:e[+-]\\d+)?$'

const isComparison = (op: Op): boolean =>
  op === Op.greater || op === Op.greaterOrEqual || op === Op.less || op === Op.lessOrEqual

const listsTexts = (op: Op): boolean => op === Op.equalText || op === Op.notEqualText || op === Op.in || op === Op.notIn

/** The UTF-16 units of a decimal text, apart from spaces around it. */
const decimalUnits: readonly number[] = Array.from('0123456789.-+eE', (character) => character.charCodeAt(0))

/** True when some text of the language begins or ends with a space. A decimal text may do so. */
const mayHoldSpace = (demands: TextDemands): boolean => {
  const spaced = machineOf('^\\s|\\s$')
  const decimal = machineOf(decimalText)
  if (spaced === null || decimal === null) return true
  const list = demandsOf(demands, true)
  const result = searchText([...list, { machine: decimal, accepts: true }, { machine: spaced, accepts: true }])
  return result.status !== 'none'
}

/** All demands that the literals make on one text. */
interface TextDemands {
  readonly constants: readonly string[]
  /** True when only a listed constant can meet the demands. */
  readonly listed: boolean
  readonly lengths: IntegerSet
  readonly lines: IntegerSet
  readonly comparisons: readonly NumberTest[]
  readonly substrings: readonly { readonly check: Check; readonly accepts: boolean }[]
  readonly patterns: readonly { readonly check: Check; readonly accepts: boolean }[]
}

const readDemands = (literals: readonly Literal[]): TextDemands => {
  const constants = new Set<string>([''])
  const lengthTests: NumberTest[] = []
  const lineTests: NumberTest[] = []
  const comparisons: NumberTest[] = []
  const substrings: { check: Check; accepts: boolean }[] = []
  const patterns: { check: Check; accepts: boolean }[] = []
  let listed = false
  for (const { check, path, holds } of literals) {
    const call = path.calls[0]
    if (call === '$length') lengthTests.push({ check, holds })
    else if (call === '$lines') lineTests.push({ check, holds })
    else if (check.op === Op.lengthGreater || check.op === Op.lengthLess) lengthTests.push({ check, holds })
    else if (isComparison(check.op)) comparisons.push({ check, holds })
    else if (check.op === Op.contains) substrings.push({ check, accepts: holds })
    else if (check.op === Op.notContains) substrings.push({ check, accepts: !holds })
    else if (check.op === Op.matches) patterns.push({ check, accepts: holds })
    else if (check.op === Op.notEmpty) listed ||= !holds
    else if (listsTexts(check.op)) {
      if (check.texts === null) constants.add(check.text)
      else for (const text of check.texts) constants.add(text)
      const positive = check.op === Op.equalText || check.op === Op.in
      if (positive === holds) listed = true
    }
  }
  return {
    constants: [...constants],
    listed,
    lengths: integersMeeting(lengthTests, 1),
    lines: integersMeeting(lineTests, 1),
    comparisons,
    substrings,
    patterns,
  }
}

/**
 * Finds a text that meets the literals.
 *
 * @param literals On the text itself, its `$length` or its `$lines`.
 * @param verify Returns the engine's verdict on a candidate.
 */
export const solveText = (literals: readonly Literal[], verify: (text: string) => boolean): Search<string> => {
  const demands = readDemands(literals)
  for (const constant of demands.constants) if (verify(constant)) return found(constant)
  if (demands.listed || demands.lengths.ranges.length === 0 || demands.lines.ranges.length === 0) return none
  const cells = demands.comparisons.some(({ holds }) => holds) ? openCells(demands.comparisons) : null
  if (cells !== null && cells.length === 0) return none
  for (const candidate of candidates(demands, cells)) if (verify(candidate)) return found(candidate)

  const ordinary = searchOrdinary(demands, cells, verify)
  if (ordinary.status !== 'none') return ordinary
  return searchHuge(demands, cells, verify)
}

/** Plain texts that often meet the demands, so that no search is needed. */
function* candidates(demands: TextDemands, cells: readonly NumberCell[] | null): Generator<string> {
  const wanted = demands.substrings.filter(({ accepts }) => accepts).map(({ check }) => check.text)
  const joined = [...wanted, wanted.join(' '), wanted.join(''), [...wanted].reverse().join('')]
  const numbers = (cells ?? []).flatMap((cell) => renderings(cell))
  const bases = [...new Set([...joined, ...numbers, 'x', 'y', '-', '1.2.3', 'value-1', '0'])]
  yield* bases
  const lines = someIntegers(demands.lines, 3)
  const lengths = someIntegers(demands.lengths, 6)
  for (const base of bases.slice(0, 24)) {
    for (const count of lines) {
      const text = count > 1 && count < 2_000 ? base + '\n'.repeat(count - 1) : base
      yield text
      for (const length of lengths) {
        if (length <= text.length || length > MAX_TEXT_UNITS + 1) continue
        const filling = 'x'.repeat(length - text.length)
        yield text + filling
        yield ' '.repeat(length - text.length) + text
        yield '0'.repeat(length - text.length) + text
      }
    }
  }
}

const renderings = ({ sample, low, high }: NumberCell): string[] => {
  const text = String(sample)
  const others = [sample + 1, sample - 1, Math.round(sample)].filter((value) => value > low && value < high).map(String)
  return [text, ...others, ` ${text}`, `0${text}`, `+${text}`, `${text}.0`, `${text}e0`]
}

const demandsOf = (demands: TextDemands, withPatterns: boolean): Demand[] => {
  const list: Demand[] = []
  const add = (machine: TextMachine | null, accepts: boolean): void => {
    if (machine !== null) list.push({ machine, accepts })
  }
  if (withPatterns) for (const { check, accepts } of demands.patterns) add(machineFor(check), accepts)
  for (const { check, accepts } of demands.substrings) add(machineFor(check), accepts)
  add(listMachine(demands.constants), false)
  add(boundedCount(null, 0, demands.lengths), true)
  if (!isEverything(demands.lines, 1)) add(boundedCount(single(LINE_FEED), 1, demands.lines), true)
  return list
}

const isEverything = ({ ranges }: IntegerSet, from: number): boolean =>
  ranges.length === 1 && (ranges[0]?.low ?? from + 1) <= from && ranges[0]?.high === Number.POSITIVE_INFINITY

const boundedCount = (set: readonly number[] | null, first: number, counts: IntegerSet): TextMachine | null => {
  let cap = first
  for (const { low, high } of counts.ranges) cap = Math.max(cap, low, Number.isFinite(high) ? high + 1 : low)
  return cap > MAX_COUNTED ? null : countMachine(set, first, cap, (count) => hasInteger(counts, count))
}

const undecided = 'the text would have to meet patterns, texts or bounds that are too large to try out'

/** Searches the texts up to the length on which the engine runs patterns. */
const searchOrdinary = (
  demands: TextDemands,
  cells: readonly NumberCell[] | null,
  verify: (text: string) => boolean,
): Search<string> => {
  const list = demandsOf(demands, true)
  const decimal = machineOf(decimalText)
  const attempt = (more: readonly Demand[]): Search<string> => {
    const result = searchText([...list, ...more])
    if (result.status !== 'found') return result
    if (verify(result.value)) return result
    for (const length of someIntegers(demands.lengths, 6)) {
      const missing = length - result.value.length
      if (missing <= 0 || missing > MAX_TEXT_UNITS) continue
      for (const text of [result.value + 'x'.repeat(missing), 'x'.repeat(missing) + result.value]) {
        if (verify(text)) return found(text)
      }
    }
    return unknown(undecided)
  }
  if (demands.comparisons.length === 0 || decimal === null) return attempt([])
  const attemptDecimal = (): Search<string> => {
    const decimals: Demand = { machine: decimal, accepts: true }
    const result = attempt([decimals])
    if (result.status !== 'unknown') return result
    // The pattern may leave so few decimal texts that each one can be tried.
    if (demands.patterns.some(({ accepts }) => accepts)) {
      const texts = listTexts([...list, decimals], decimalUnits)
      const value = texts?.find(verify)
      if (value !== undefined) return found(value)
      if (texts !== null && !mayHoldSpace(demands)) return none
    }
    return unknown('the text would have to meet a pattern and a numeric bound')
  }
  if (cells !== null) return attemptDecimal()
  const wordy = attempt([{ machine: decimal, accepts: false }])
  return wordy.status === 'none' ? attemptDecimal() : wordy
}

/** Searches longer texts. Above the engine's bound every pattern check fails, whatever the text is. */
const searchHuge = (
  demands: TextDemands,
  cells: readonly NumberCell[] | null,
  verify: (text: string) => boolean,
): Search<string> => {
  if (demands.patterns.length === 0 || demands.patterns.some(({ accepts }) => accepts)) return none
  if (!demands.lengths.ranges.some(({ high }) => high > MAX_TEXT_UNITS)) return none
  const list = demandsOf(demands, false)
  const base = searchText(list)
  if (base.status !== 'found') return base
  const number = cells?.[0]?.sample ?? 0
  const wanted = demands.substrings.filter(({ accepts }) => accepts).map(({ check }) => check.text)
  for (const text of [base.value, wanted.join(' '), String(number)]) {
    for (const filling of ['x', ' ', '0', '-', '\u00a0']) {
      const huge = filling.repeat(MAX_TEXT_UNITS + 1)
      if (verify(huge + text)) return found(huge + text)
      if (verify(text + huge)) return found(text + huge)
    }
  }
  return unknown('only a text of more than 65,536 characters could do, on which no pattern is run')
}

/** Finds a number of this cell whose text meets the patterns, or proves that there is none. */
export const searchNumberText = (
  literals: readonly Literal[],
  cell: NumberCell,
  verify: (value: number) => boolean,
): Search<number> => {
  const machine = machineOf(numberText)
  const list: Demand[] = machine === null ? [] : [{ machine, accepts: true }]
  for (const { check, holds } of literals) {
    const pattern = check.op === Op.matches ? machineFor(check) : null
    if (pattern !== null) list.push({ machine: pattern, accepts: holds })
  }
  const result = searchText(list)
  if (result.status !== 'found') return result
  const fits = (text: string): boolean => {
    const value = Number(text)
    return value > cell.low && value < cell.high && verify(value)
  }
  if (fits(result.value)) return found(Number(result.value))
  const texts = machine === null ? null : listTexts(list, decimalUnits)
  const text = texts?.find(fits)
  if (text !== undefined) return found(Number(text))
  return texts === null ? unknown('a number would have to meet a pattern and a bound') : none
}
