/**
 * Finds a shortest text on which all automata give the required answer, by breadth-first search over their product.
 *
 * INVARIANT: `none` means that the whole product was searched: no text of any length meets the demands.
 */

import type { CharSet } from '../regex/char-set.js'
import { found, none, type Search, unknown } from './literal.js'
import type { TextMachine } from './text-machine.js'

export interface Demand {
  readonly machine: TextMachine
  /** True when the automaton must accept the text, false when it must not. */
  readonly accepts: boolean
}

const MAX_STATES = 12_000
const MAX_STEPS = 400_000

/** Readable characters come first, so that witnesses look like real data. */
const preferred = 'xabcdefghijklmnopqrstuvwyz0123456789-_./: ABCDEFGHIJKLMNOPQRSTUVWXYZ@+,;=#!$%&*()[]{}<>?|~^"\'`\\'

/** One unit for each class of units that no automaton distinguishes; readable units come first. */
const alphabetOf = (sets: readonly CharSet[]): number[] => {
  const borders = new Set<number>([0])
  for (const set of sets) {
    for (let at = 0; at + 1 < set.length; at += 2) {
      borders.add(set[at] ?? 0)
      borders.add((set[at + 1] ?? 0) + 1)
    }
  }
  const sorted = [...borders].filter((border) => border <= 0xffff).sort((a, b) => a - b)
  const readable = Array.from(preferred, (character) => character.charCodeAt(0))
  const chosen = new Map<string, { unit: number; rank: number }>()
  const distinct = [...new Map(sets.map((set) => [set.join(), set])).values()]
  const cursors = new Array<number>(distinct.length).fill(0)
  sorted.forEach((low, index) => {
    const high = (sorted[index + 1] ?? 0x10000) - 1
    let name = ''
    distinct.forEach((set, at) => {
      let cursor = cursors[at] ?? 0
      while (cursor + 1 < set.length && (set[cursor + 1] ?? 0) < low) cursor += 2
      cursors[at] = cursor
      if (cursor < set.length && (set[cursor] ?? 0) <= low) name += `${at},`
    })
    let rank = readable.findIndex((unit) => unit >= low && unit <= high)
    let unit = readable[rank]
    if (unit === undefined) {
      unit = low >= 0xd800 && low <= 0xdfff && high > 0xdfff ? 0xe000 : low
      rank = readable.length + (unit >= 0xd800 && unit <= 0xdfff ? 2 : 1)
    }
    const known = chosen.get(name)
    if (known === undefined || rank < known.rank) chosen.set(name, { unit, rank })
  })
  return [...chosen.values()].sort((a, b) => a.rank - b.rank).map(({ unit }) => unit)
}

export const searchText = (demands: readonly Demand[]): Search<string> => {
  const units = alphabetOf(demands.flatMap(({ machine }) => machine.sets))
  const states: number[][] = []
  const parents: number[] = []
  const letters: number[] = []
  const seen = new Set<string>()

  const enter = (state: number[], parent: number, unit: number): boolean => {
    const name = state.join()
    if (seen.has(name)) return false
    seen.add(name)
    states.push(state)
    parents.push(parent)
    letters.push(unit)
    return demands.every(({ machine, accepts }, at) => machine.accepts(state[at] as number) === accepts)
  }
  const spell = (at: number): string => {
    const text: number[] = []
    for (let index = at; index > 0; index = parents[index] as number) text.push(letters[index] as number)
    return text
      .reverse()
      .map((unit) => String.fromCharCode(unit))
      .join('')
  }

  if (
    enter(
      demands.map(({ machine }) => machine.start),
      -1,
      0,
    )
  ) {
    return found('')
  }
  let steps = 0
  for (let at = 0; at < states.length; at++) {
    const state = states[at] as number[]
    for (const unit of units) {
      steps += demands.length
      if (states.length > MAX_STATES || steps > MAX_STEPS) {
        return unknown('the patterns and texts have too many combinations to try them all')
      }
      const next: number[] = []
      for (let index = 0; index < demands.length; index++) {
        const { machine, accepts } = demands[index] as Demand
        const reached = machine.step(state[index] as number, unit)
        const settled = machine.settled(reached)
        if (settled !== null && settled !== accepts) break
        next.push(reached)
      }
      if (next.length === demands.length && enter(next, at, unit)) return found(spell(states.length - 1))
    }
  }
  return none
}

const MAX_LISTED = 4_000

/**
 * Lists every text over the given units that meets all demands; null when there are too many to list.
 *
 * The texts are searched as a tree. The list is complete only when every branch is settled, so the language must be
 * finite.
 */
export const listTexts = (demands: readonly Demand[], units: readonly number[]): readonly string[] | null => {
  const texts: string[] = []
  let visited = 0
  let level: { readonly text: string; readonly state: readonly number[] }[] = [
    { text: '', state: demands.map(({ machine }) => machine.start) },
  ]
  while (level.length > 0) {
    const next: typeof level = []
    for (const { text, state } of level) {
      if (demands.every(({ machine, accepts }, at) => machine.accepts(state[at] as number) === accepts))
        texts.push(text)
      for (const unit of units) {
        visited += 1
        if (visited > MAX_STEPS || next.length > MAX_LISTED || texts.length > MAX_LISTED) return null
        const reached = demands.map(({ machine }, index) => machine.step(state[index] as number, unit))
        if (!isOut(demands, reached)) next.push({ text: text + String.fromCharCode(unit), state: reached })
      }
    }
    level = next
  }
  return texts
}

const isOut = (demands: readonly Demand[], state: readonly number[]): boolean =>
  demands.some(({ machine, accepts }, index) => {
    const settled = machine.settled(state[index] as number)
    return settled !== null && settled !== accepts
  })
