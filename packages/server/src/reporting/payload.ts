/** Reads the fields of what another program sent. Pure. */
export type Json = Readonly<Record<string, unknown>>
export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const at = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((inner, key) => (isObject(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined), value)

// What names refuse, and private or unassigned characters.
const INVISIBLE =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each of these is replaced by itself
  /[\p{C}\p{Zl}\p{Zp}\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u3164\uffa0]+/gu
/** Text without line breaks and invisible characters, composed as names are: an environment has one name everywhere. */
export const oneLine = (text: string): string => text.replace(INVISIBLE, ' ').trim().normalize('NFC')

/** At most this many characters. Half of a pair is not kept: each database would store something else for it. */
export const cut = (text: string, max: number): string => text.slice(0, max).replace(/[\uD800-\uDBFF]$/, '')
