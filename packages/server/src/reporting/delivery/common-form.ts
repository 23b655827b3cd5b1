/** The common form of a delivery from a forge or a pipeline engine, and helpers that read its fields. Pure. */
import type { EndedIncident, SentIncident } from '../incident/store.js'
import type { SentEvent } from '../ingest/schema.js'
import { at, cut, oneLine } from '../payload.js'

export interface HeardRun {
  /** The sender's name for the pipeline: a repository with its host, or a name. */
  readonly ref: string
  readonly item: Omit<SentEvent, 'pipelineId'>
}

export interface Heard {
  /** The type in the sender's words. */
  readonly type: string
  readonly runs: readonly HeardRun[]
  readonly commits: readonly { readonly sha: string; readonly committedAtMs: number }[]
  readonly incidents: readonly SentIncident[]
  readonly ended: readonly EndedIncident[]
  /** Why the delivery has no effect; null if it has one. */
  readonly ignored: string | null
}

export interface Delivery {
  readonly payload: unknown
  readonly headers: Pick<Headers, 'get'>
}

export const heard = (type: string, more: Partial<Omit<Heard, 'type'>>): Heard => ({
  type,
  runs: [],
  commits: [],
  incidents: [],
  ended: [],
  ignored: null,
  ...more,
})
export const ignored = (type: string, why: string): Heard => heard(type, { ignored: why })

export const listAt = (value: unknown, ...path: readonly string[]): readonly unknown[] => {
  const found = at(value, ...path)
  return Array.isArray(found) ? found : []
}

const TEXT_MAX = 255
/** Text on one line without invisible characters, at most 255 of them; a number as text. */
export function textAt(value: unknown, ...path: readonly string[]): string | undefined {
  const found = at(value, ...path)
  if (typeof found === 'number' && Number.isFinite(found)) return String(found)
  if (typeof found !== 'string') return undefined
  const text = oneLine(found.slice(0, 4 * TEXT_MAX))
  return text === '' ? undefined : cut(text, TEXT_MAX).trim()
}

const TIME = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(\.\d{1,9})?\s?(UTC|Z|[+-]\d\d:?\d\d)?$/

/**
 * An instant as ISO 8601, from text with or without a zone (` UTC`, `+0200`), or from seconds or milliseconds since
 * 1970.
 */
export function instantAt(value: unknown, ...path: readonly string[]): string | undefined {
  const found = at(value, ...path)
  if (typeof found === 'number') return isoOf(found < 1e11 ? found * 1000 : found)
  if (typeof found !== 'string' || found.length > 40) return undefined
  if (/^\d{9,14}$/.test(found)) return instantAt({ found: Number(found) }, 'found')
  const [, day, time, fraction = '', zone = 'Z'] = TIME.exec(found.trim()) ?? []
  if (day === undefined) return undefined
  return isoOf(Date.parse(`${day}T${time}${fraction.slice(0, 4)}${offset(zone)}`))
}

const offset = (zone: string): string =>
  zone === 'UTC' || zone === 'Z' ? 'Z' : zone.includes(':') ? zone : `${zone.slice(0, 3)}:${zone.slice(3)}`

const isoOf = (ms: number): string | undefined =>
  Number.isFinite(ms) && ms > 0 && ms < 8.64e15 ? new Date(ms).toISOString() : undefined

/** A commit id; undefined for any other value. */
export function shaAt(value: unknown, ...path: readonly string[]): string | undefined {
  const found = at(value, ...path)
  return typeof found === 'string' && /^[0-9A-Fa-f]{7,64}$/.test(found) && !/^0+$/.test(found) ? found : undefined
}

/** Omits the undefined fields. */
export const told = <T extends Readonly<Record<string, unknown>>>(
  fields: T,
): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never

/** Builds `github.com/acme/shop` from the address of a repository. */
export function repositoryOf(address: string | undefined, path: string | undefined): string | undefined {
  if (path === undefined) return undefined
  const host = /^https?:\/\/(?:[^/@\s]*@)?([^/:\s]+)/i.exec(address ?? '')?.[1]
  return (host === undefined ? path : `${host}/${path}`).toLowerCase().slice(0, TEXT_MAX)
}

const BETWEEN = ' | '
/** Joins several names of one pipeline, the most specific last. */
export const refOf = (...names: readonly (string | undefined)[]): string | undefined => {
  const known = names.filter((name) => name !== undefined)
  return known.length === 0 ? undefined : known.join(BETWEEN).toLowerCase()
}

/** The possible names of a pipeline, the most specific first: each name, and a repository also without its host. */
export function namesOf(ref: string): readonly string[] {
  return ref
    .split(BETWEEN)
    .reverse()
    .flatMap((name) => {
      const [first = '', ...rest] = name.split('/')
      return first.includes('.') && rest.length > 1 ? [name, rest.join('/')] : [name]
    })
}

export const webAddress = (value: string | undefined): string | undefined =>
  value !== undefined && value.length <= 2048 && /^https?:\/\/[^\s/]\S*$/i.test(value) ? value : undefined
