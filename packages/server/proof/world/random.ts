/** A seeded generator (mulberry32) and choices by it, so that a failing run repeats. */

export interface Random {
  /** From 0 up to 1. */
  next(): number
  /** A whole number below `bound`. */
  below(bound: number): number
  pick<T>(from: readonly T[]): T
}

/** The seed of one operation. It follows from the name, so that a new operation leaves the requests of the others as they are. */
export const seedOf = (name: string, seed: number): number =>
  [...name].reduce((sum, character) => Math.imul(sum ^ character.charCodeAt(0), 0x01000193), seed)

export function createRandom(seed: number): Random {
  let state = seed | 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
  const below = (bound: number): number => Math.floor(next() * bound)
  return {
    next,
    below,
    pick(from) {
      if (from.length === 0) throw new Error('nothing to pick from')
      return from[below(from.length)] as (typeof from)[number]
    },
  }
}
