/** Random choices from one seed (mulberry32), so that the demo's history is the same on every machine. */
export interface Random {
  /** A whole number below `bound`. */
  below(bound: number): number
  pick<T>(from: readonly [T, ...T[]]): T
}

export function createRandom(seed: number): Random {
  let state = seed | 0
  const below = (bound: number): number => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4294967296) * bound)
  }
  return { below, pick: (from) => from[below(from.length)] ?? from[0] }
}
