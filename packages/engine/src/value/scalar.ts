/**
 * `text` and `num` of spec compliance 2: the two readings of a scalar that operators compare.
 */

/** `12`, `-1.5`, `.5`, `1e3`. Each digit is matched in one way only, so the search is linear. */
const decimalLiteral = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/

/** Shortest decimal form, `-0` as `0`; `undefined` when the value is not a scalar. */
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

/** A finite number, or NaN, which no comparison satisfies. */
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

/** The number whose `text` this is, or NaN: `12` has one, `12.0` and `012` have none. */
export const canonicalNumber = (text: string): number => {
  const number = Number(text)
  return number - number === 0 && String(number) === text ? number : Number.NaN
}
