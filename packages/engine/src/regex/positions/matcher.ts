/**
 * Searches with a position program. States and their moves that were met before are kept, so that most units of ordinary
 * texts cost a look-up; a program with more states than are kept is stepped through from there. A text of n units costs n
 * times the work of the program at most, and what is kept is bounded for each pattern, whatever the texts are.
 */

import { MAX_KEPT_NUMBERS, MAX_TEXT_UNITS } from '../limits.js'
import { EDGE, type PositionProgram } from './program.js'
import { EMPTY, FAILED, LIVE, MATCHED, stepperOf } from './step.js'

/** Where a move of a kept state leads, when not to another kept state. */
const UNKNOWN = -1
const TO_MATCH = -2
const TO_FAILURE = -3
/** To a state that there is no more room for. */
const BEYOND = -4

/** The search for the program's pattern. */
export function positionMatcher(program: PositionProgram): (text: string) => boolean {
  const stepper = stepperOf(program)
  const { words, kinds, classOf } = stepper
  const end = kinds.length
  const width = end + 1
  const most = Math.max(1, Math.floor(MAX_KEPT_NUMBERS / (words + width)))
  const numbers = new Map<string, number>()
  /** For each kept state: what stood before it, times 2, and 1 when it is live. */
  const kept: number[] = []
  /** Its words. */
  const states: number[] = []
  /** Where each class leads, and the end of the text. */
  const moves: number[] = []
  const scratch = new Int32Array(words)

  /** Of the state in `scratch`. */
  function numberOf(isLive: boolean, before: number): number {
    const key = `${before},${scratch.join()}`
    const known = numbers.get(key)
    if (known !== undefined) return known
    if (kept.length >= most) return BEYOND
    const number = kept.push(before * 2 + (isLive ? 1 : 0)) - 1
    numbers.set(key, number)
    states.push(...scratch)
    for (let i = 0; i < width; i++) moves.push(UNKNOWN)
    return number
  }

  /** Brings a kept state back into `scratch`. */
  function recall(number: number): void {
    for (let i = 0; i < words; i++) scratch[i] = states[number * words + i] as number
  }
  const isLiveAt = (number: number): boolean => ((kept[number] as number) & 1) === 1
  const beforeOf = (number: number): number => (kept[number] as number) >> 1

  /** Finds out where a kept state leads. */
  function learn(number: number, unitClass: number): number {
    recall(number)
    const to = unitClass === end ? atEnd(number) : over(number, unitClass)
    moves[number * width + unitClass] = to
    return to
  }

  const atEnd = (number: number): number =>
    stepper.endsMatched(scratch, isLiveAt(number), beforeOf(number)) ? TO_MATCH : TO_FAILURE

  function over(number: number, unitClass: number): number {
    const done = stepper.step(scratch, isLiveAt(number), beforeOf(number), unitClass)
    if (done === MATCHED) return TO_MATCH
    return done === FAILED ? TO_FAILURE : numberOf(done === LIVE, kinds[unitClass] as number)
  }

  /** The rest of the text from a kept state, with nothing learned. */
  function stepThrough(text: string, from: number, number: number): boolean {
    recall(number)
    let isLive = isLiveAt(number)
    let before = beforeOf(number)
    for (let at = from; at < text.length; at++) {
      const unitClass = classOf(text.charCodeAt(at))
      const done = stepper.step(scratch, isLive, before, unitClass)
      if (done < EMPTY) return done === MATCHED
      isLive = done === LIVE
      before = kinds[unitClass] as number
    }
    return stepper.endsMatched(scratch, isLive, before)
  }

  const start = numberOf(false, EDGE)

  return (text) => {
    if (text.length > MAX_TEXT_UNITS) return false
    let number = start
    for (let at = 0; at < text.length; at++) {
      const unitClass = classOf(text.charCodeAt(at))
      let to = moves[number * width + unitClass] as number
      if (to === UNKNOWN) to = learn(number, unitClass)
      if (to === BEYOND) return stepThrough(text, at, number)
      if (to < 0) return to === TO_MATCH
      number = to
    }
    const last = moves[number * width + end] as number
    return (last === UNKNOWN ? learn(number, end) : last) === TO_MATCH
  }
}
