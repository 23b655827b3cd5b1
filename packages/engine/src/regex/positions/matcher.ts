/**
 * Searches with a position program. States and their moves that were met before are kept, so that most units of ordinary
 * texts cost a look-up; a program with more states than are kept is stepped through from there. A text of n units costs n
 * times the work of the program at most, and what is kept is bounded for each pattern, whatever the texts are.
 */

import { MAX_KEPT_NUMBERS, MAX_TEXT_UNITS } from '../limits.js'
import { EDGE, type PositionProgram } from './program.js'
import { EMPTY, FAILED, LIVE, MATCHED, type Stepper, stepperOf } from './step.js'

/** Where a move of a kept state leads, when not to another kept state. */
const UNKNOWN = -1
const TO_MATCH = -2
const TO_FAILURE = -3
/** To a state that there is no more room for. */
const BEYOND = -4

interface KeptState {
  readonly state: Int32Array
  readonly isLive: boolean
  readonly before: number
}

/** The search for the program's pattern. */
export function positionMatcher(program: PositionProgram): (text: string) => boolean {
  const stepper = stepperOf(program)
  const { words, kinds, classOf } = stepper
  const end = kinds.length
  const width = end + 1
  const most = Math.max(1, Math.floor(MAX_KEPT_NUMBERS / (words + width)))
  const kept: KeptState[] = []
  const numbers = new Map<string, number>()
  /** For each kept state where each class leads, and the end of the text. */
  const moves: number[] = []
  const scratch = new Int32Array(words)

  function numberOf(state: Int32Array, isLive: boolean, before: number): number {
    const key = `${before},${state.join()}`
    const known = numbers.get(key)
    if (known !== undefined) return known
    if (kept.length >= most) return BEYOND
    const number = kept.push({ state: state.slice(), isLive, before }) - 1
    numbers.set(key, number)
    for (let i = 0; i < width; i++) moves.push(UNKNOWN)
    return number
  }

  /** Finds out where a kept state leads. */
  function learn(number: number, unitClass: number): number {
    const { state, isLive, before } = kept[number] as KeptState
    const to = unitClass === end ? atEnd(state, isLive, before) : over(state, isLive, before, unitClass)
    moves[number * width + unitClass] = to
    return to
  }

  const atEnd = (state: Int32Array, isLive: boolean, before: number): number =>
    stepper.endsMatched(state, isLive, before) ? TO_MATCH : TO_FAILURE

  function over(state: Int32Array, isLive: boolean, before: number, unitClass: number): number {
    scratch.set(state)
    const done = stepper.step(scratch, isLive, before, unitClass)
    if (done === MATCHED) return TO_MATCH
    return done === FAILED ? TO_FAILURE : numberOf(scratch, done === LIVE, kinds[unitClass] as number)
  }

  const start = numberOf(scratch, false, EDGE)

  return (text) => {
    if (text.length > MAX_TEXT_UNITS) return false
    let number = start
    for (let at = 0; at < text.length; at++) {
      const unitClass = classOf(text.charCodeAt(at))
      let to = moves[number * width + unitClass] as number
      if (to === UNKNOWN) to = learn(number, unitClass)
      if (to < 0)
        return to === BEYOND ? stepThrough(stepper, text, at, kept[number] as KeptState, scratch) : to === TO_MATCH
      number = to
    }
    const last = moves[number * width + end] as number
    return (last === UNKNOWN ? learn(number, end) : last) === TO_MATCH
  }
}

/** The rest of the text from a state, with nothing learned. */
function stepThrough(stepper: Stepper, text: string, from: number, kept: KeptState, state: Int32Array): boolean {
  const { classOf, kinds, step, endsMatched } = stepper
  state.set(kept.state)
  let { isLive, before } = kept
  for (let at = from; at < text.length; at++) {
    const unitClass = classOf(text.charCodeAt(at))
    const done = step(state, isLive, before, unitClass)
    if (done < EMPTY) return done === MATCHED
    isLive = done === LIVE
    before = kinds[unitClass] as number
  }
  return endsMatched(state, isLive, before)
}
