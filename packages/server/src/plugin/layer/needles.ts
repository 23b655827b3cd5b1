/** Searches for values in a stream of bytes, also across chunk boundaries. */

export interface Needle {
  readonly name: string
  /** Encodings of the value, each of which reveals it. */
  readonly forms: readonly string[]
}

export interface Search {
  /**
   * @returns the name of a needle that occurs in these bytes or across the boundary to the previous ones; null for
   * none.
   */
  look(piece: Buffer): string | null
}

export function searchFor(needles: readonly Needle[]): Search {
  const forms = needles.flatMap((needle) =>
    needle.forms.map((form) => ({ name: needle.name, bytes: Buffer.from(form) })),
  )
  const longest = forms.reduce((most, { bytes }) => Math.max(most, bytes.length), 0)
  let held = Buffer.alloc(0)
  return {
    look(piece) {
      if (forms.length === 0) return null
      // guard: a-value-across-two-pieces-is-found
      const whole = Buffer.concat([held, piece])
      held = Buffer.from(whole.subarray(Math.max(0, whole.length - longest + 1)))
      return forms.find(({ bytes }) => whole.includes(bytes))?.name ?? null
    },
  }
}
