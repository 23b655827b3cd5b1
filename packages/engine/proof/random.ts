/**
 * A small seedable generator of pseudo-random numbers (sfc32), because a case must cost less to make than to check.
 *
 * INVARIANT: the same (seed, stream) gives the same choices on every machine, so one number names one case.
 */

export class Random {
  #a: number
  #b: number
  #c: number
  #counter = 1

  constructor(seed: number, stream = 0) {
    this.#a = seed | 0
    this.#b = Math.imul(stream, 0x9e3779b1) | 0
    this.#c = (Math.floor(stream / 0x100000000) ^ Math.floor(seed / 0x100000000) ^ 0x6a09e667) | 0
    for (let i = 0; i < 12; i++) this.next()
  }

  /** 32 random bits. */
  next(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0
    this.#counter = (this.#counter + 1) | 0
    this.#a = this.#b ^ (this.#b >>> 9)
    this.#b = (this.#c + (this.#c << 3)) | 0
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + sum
    return sum >>> 0
  }

  /** An integer from 0 to `bound` - 1. */
  below(bound: number): number {
    return Math.floor((this.next() / 0x100000000) * bound)
  }

  /** True in `percent` of 100 draws. */
  chance(percent: number): boolean {
    return this.next() < percent * 42949672.96
  }

  pick<T>(choices: readonly T[]): T {
    const chosen = choices[this.below(choices.length)]
    if (chosen === undefined && choices.length === 0) throw new Error('nothing to pick from')
    return chosen as T
  }
}
