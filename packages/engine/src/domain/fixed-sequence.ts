/** A fixed pseudo-random sequence of choices. It is the same in every run, because the engine uses no randomness. */
export const fixedSequence = (seed: number): ((below: number) => number) => {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
    return Math.floor(((state >>> 8) / 0x1000000) * below)
  }
}
