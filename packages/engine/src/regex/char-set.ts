/**
 * Sets of UTF-16 code units, the alphabet of every pattern.
 *
 * INVARIANT: a set is a flat list `[lo, hi, lo, hi, …]` of inclusive ranges. The ranges ascend and neither touch nor
 * overlap, so equal sets have equal lists.
 */

export type CharSet = readonly number[]

export const LAST_UNIT = 0xffff

export const NOTHING: CharSet = []
export const DIGIT: CharSet = [0x30, 0x39]
export const WORD: CharSet = [0x30, 0x39, 0x41, 0x5a, 0x5f, 0x5f, 0x61, 0x7a]
/** The characters of `\s`: WhiteSpace and LineTerminator of ECMAScript. RE2's `\s` is only five ASCII characters. */
export const SPACE: CharSet = [
  0x09, 0x0d, 0x20, 0x20, 0xa0, 0xa0, 0x1680, 0x1680, 0x2000, 0x200a, 0x2028, 0x2029, 0x202f, 0x202f, 0x205f, 0x205f,
  0x3000, 0x3000, 0xfeff, 0xfeff,
]
const LINE_TERMINATOR: CharSet = [0x0a, 0x0a, 0x0d, 0x0d, 0x2028, 0x2029]
/** What `.` matches without flags. */
export const DOT: CharSet = complement(LINE_TERMINATOR)

export function single(unit: number): CharSet {
  return [unit, unit]
}

/** Normalises any list of inclusive ranges. */
export function fromRanges(ranges: readonly (readonly [number, number])[]): CharSet {
  const sorted = [...ranges].sort((a, b) => a[0] - b[0])
  const out: number[] = []
  for (const [lo, hi] of sorted) {
    const last = out.length - 1
    const previous = out[last]
    if (previous !== undefined && lo <= previous + 1) out[last] = Math.max(previous, hi)
    else out.push(lo, hi)
  }
  return out
}

export function ranges(set: CharSet): [number, number][] {
  const out: [number, number][] = []
  for (let i = 0; i + 1 < set.length; i += 2) out.push([set[i] ?? 0, set[i + 1] ?? 0])
  return out
}

export function union(a: CharSet, b: CharSet): CharSet {
  if (a.length === 0) return b
  if (b.length === 0) return a
  return fromRanges([...ranges(a), ...ranges(b)])
}

export function complement(set: CharSet): CharSet {
  const out: number[] = []
  let next = 0
  for (let i = 0; i + 1 < set.length; i += 2) {
    const lo = set[i] ?? 0
    if (lo > next) out.push(next, lo - 1)
    next = (set[i + 1] ?? 0) + 1
  }
  if (next <= LAST_UNIT) out.push(next, LAST_UNIT)
  return out
}

export function intersects(a: CharSet, b: CharSet): boolean {
  let i = 0
  let j = 0
  while (i < a.length && j < b.length) {
    const [aLo = 0, aHi = 0] = [a[i], a[i + 1]]
    const [bLo = 0, bHi = 0] = [b[j], b[j + 1]]
    if (aLo <= bHi && bLo <= aHi) return true
    if (aHi < bHi) i += 2
    else j += 2
  }
  return false
}

export function equalSets(a: CharSet, b: CharSet): boolean {
  return a.length === b.length && a.every((value, index) => value === b[index])
}

export function hasUnit(set: CharSet, unit: number): boolean {
  for (let i = 0; i + 1 < set.length; i += 2) {
    if (unit < (set[i] ?? 0)) return false
    if (unit <= (set[i + 1] ?? 0)) return true
  }
  return false
}
