/** The two readings of a scalar that operators compare: `text` and `num` of spec compliance 2. */

/** Matches `12`, `-1.5`, `.5`, `1e3`. Each digit can be matched in one way only, so the search is linear. */
const decimalLiteral = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/

/**
 * The shortest decimal form of a number (`-0` as `0`), or the text of another scalar; `undefined` when the value is not
 * a scalar.
 */
export const textOf = (value: unknown): string | undefined => {
  switch (typeof value) {
    case 'string':
      return value
    case 'number':
      return String(value)
    case 'boolean':
      return value ? 'true' : 'false'
    default:
      return undefined
  }
}

/** Returns a finite number, or NaN, with which every comparison is false. */
export const numberOfText = (text: string): number => {
  const trimmed = text.trim()
  if (!decimalLiteral.test(trimmed)) return Number.NaN
  const number = Number(trimmed)
  return number - number === 0 ? number : Number.NaN
}

export const numberOf = (value: unknown): number => {
  if (typeof value === 'number') return value - value === 0 ? value : Number.NaN
  return typeof value === 'string' ? numberOfText(value) : Number.NaN
}

/** Returns the number whose `text` this is, or NaN: `12` is the text of a number, `12.0` and `012` are not. */
export const canonicalNumber = (text: string): number => {
  const number = Number(text)
  return number - number === 0 && String(number) === text ? number : Number.NaN
}
