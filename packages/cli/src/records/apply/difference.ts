/** The differences between a document and its live record, as paths with both values. */
import { isDeepStrictEqual } from 'node:util'
import { isRecord } from '../../input/record.js'
import { valueText } from '../../report/reporter.js'
import type { JsonObject } from '../resource.js'

export interface Change {
  /** The field of the record. */
  readonly field: string
  /** `props.stages[1].steps[0].timeout`. */
  readonly path: string
  readonly before: unknown
  readonly after: unknown
}

/** Compares only fields that the document names. Fields that it leaves out stay as they are. */
export function differences(live: JsonObject, wanted: JsonObject): Change[] {
  return Object.entries(wanted).flatMap(([field, value]) =>
    compare(live[field], value, field).map((change) => ({ ...change, field })),
  )
}

function compare(before: unknown, after: unknown, path: string): Omit<Change, 'field'>[] {
  if (isSame(before, after)) return []
  if (isRecord(before) && isRecord(after)) {
    const keys = new Set([...Object.keys(before), ...Object.keys(after)])
    return [...keys].flatMap((key) => compare(before[key], after[key], `${path}${stepText(key)}`))
  }
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    return after.flatMap((each, at) => compare(before[at], each, `${path}[${at}]`))
  }
  return [{ path, before, after }]
}

/** An absent value equals null, and the order of keys does not matter. */
const isSame = (left: unknown, right: unknown): boolean => isDeepStrictEqual(left ?? null, right ?? null)

const stepText = (key: string): string => (/^[\w-]+$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`)

/** Paths whose values are often secret. A change there is reported without its values. Rules do not see them either. */
const HIDDEN = /(^|[.\]])(env|buildArgs)([.[]|$)/

export function changeText({ path, before, after }: Change): string {
  const text = (value: unknown) =>
    value === undefined || value === null ? 'nothing' : HIDDEN.test(path) ? '(hidden)' : valueText(value, 60)
  return `${path}: ${text(before)} → ${text(after)}`
}
