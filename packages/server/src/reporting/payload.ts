/** Reads the fields of what another program sent. Pure. */
import { notInNames } from '@plumbline/engine'

export type Json = Readonly<Record<string, unknown>>
export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const at = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((inner, key) => (isObject(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined), value)

const INVISIBLE = new RegExp(`[\\p{C}${notInNames.source.slice(1, -1)}]+`, 'gu')
/** Text without line breaks and invisible characters, composed as names are: an environment has one name everywhere. */
export const oneLine = (text: string): string => text.replace(INVISIBLE, ' ').trim().normalize('NFC')

/** At most this many characters. Half of a pair is not kept: each database would store something else for it. */
export const cut = (text: string, max: number): string => text.slice(0, max).replace(/[\uD800-\uDBFF]$/, '')
