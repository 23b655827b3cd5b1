/**
 * Searches a text with a position automaton.
 *
 * Visited states and their transitions are cached, so that most units of ordinary texts cost one look-up. When there
 * are more states than the cache takes, the rest of the text is searched without it. A text of n units costs at most n
 * times the work of the program. The cache of each pattern is bounded, whatever the texts are.
 */

import { MAX_KEPT_NUMBERS, MAX_TEXT_UNITS } from '../limits.js'
import { EDGE, type PositionProgram } from './program.js'
import { EMPTY, LIVE, MATCHED, type Stepper, stepperOf } from './step.js'

/** The target of a transition that is not a cached state. */
const UNKNOWN = -1
const TO_MATCH = -2
const TO_FAILURE = -3
/** A state for which the cache has no room. */
const BEYOND = -4

/** Returns the search function of the program's pattern. */
export function positionMatcher(program: PositionProgram): (text: string) => boolean {
  const stepper = stepperOf(program)
  const { classOf, kinds } = stepper
  const { moves, width, start, learn, stepThrough } = keptStates(stepper)
  const end = kinds.length
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

interface KeptStates {
  /** For each cached state, the target for each class and for the end of the text: `width` numbers. */
  readonly moves: readonly number[]
  readonly width: number
  readonly start: number
  /** Computes the target of a transition and caches it. */
  learn(number: number, unitClass: number): number
  /** Searches the rest of the text from a cached state, without the cache. */
  stepThrough(text: string, from: number, number: number): boolean
}

function keptStates(stepper: Stepper): KeptStates {
  const { words, kinds, classOf } = stepper
  const end = kinds.length
  const width = end + 1
  const most = Math.max(1, Math.floor(MAX_KEPT_NUMBERS / (words + width)))
  const numbers = new Map<string, number>()
  /** For each cached state: twice the kind of what was before it, plus 1 when it has a live position. */
  const kept: number[] = []
  /** The words of the cached states. */
  const states: number[] = []
  const moves: number[] = []
  const scratch = new Int32Array(words)

  /** Returns the number of the state in `scratch`, and adds it to the cache. */
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

  /** Copies a cached state into `scratch`. */
  function recall(number: number): void {
    for (let i = 0; i < words; i++) scratch[i] = states[number * words + i] as number
  }
  const isLiveAt = (number: number): boolean => ((kept[number] as number) & 1) === 1
  const beforeOf = (number: number): number => (kept[number] as number) >> 1

  function learn(number: number, unitClass: number): number {
    recall(number)
    const [isLive, before] = [isLiveAt(number), beforeOf(number)]
    let to: number
    if (unitClass === end) to = stepper.endsMatched(scratch, isLive, before) ? TO_MATCH : TO_FAILURE
    else {
      const done = stepper.step(scratch, isLive, before, unitClass)
      if (done < EMPTY) to = done === MATCHED ? TO_MATCH : TO_FAILURE
      else to = numberOf(done === LIVE, kinds[unitClass] as number)
    }
    moves[number * width + unitClass] = to
    return to
  }

  return {
    moves,
    width,
    start: numberOf(false, EDGE),
    learn,
    stepThrough(text, from, number) {
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
    },
  }
}
