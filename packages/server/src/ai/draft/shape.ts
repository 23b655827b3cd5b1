/**
 * Building blocks of draft schemas: closed objects in which every key is required and may be null, and lists of name
 * and value instead of maps. Providers accept such schemas in strict mode. The schemas state no lengths or patterns,
 * because some providers drop them; the server checks the answer again (ADR 147).
 */
import Type, { type Static, type TSchema } from 'typebox'
import type { FieldIssue } from '../../runtime/errors.js'
import { nullable, strictObject } from '../../runtime/operation/schema.js'

export const text = (description?: string) => Type.String(description === undefined ? {} : { description })
export const texts = (description?: string) =>
  nullable(Type.Array(Type.String(), description === undefined ? {} : { description }))
export const oneOf = <const V extends string>(values: readonly V[]) =>
  Type.Unsafe<V>({ type: 'string', enum: [...values] })

export const NamedText = strictObject({ name: Type.String(), value: Type.String() })
export type NamedText = Static<typeof NamedText>

const Scalar = Type.Unsafe<string | number | boolean>({
  anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }],
})
export const NamedScalar = strictObject({ name: Type.String(), value: Scalar })
export type NamedScalar = Static<typeof NamedScalar>

export const listOf = <S extends TSchema>(schema: S) => nullable(Type.Array(schema))
export const described = <S extends TSchema>(schema: S, description: string) =>
  nullable(Type.Array(schema, { description }))

/** The object without its null values. */
export const present = <T extends object>(object: T): { [K in keyof T]?: Exclude<T[K], null> } =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null && value !== undefined)) as never

/** Keys that a map may not have, because JavaScript gives them a meaning. */
const UNSAFE: readonly string[] = ['__proto__', 'constructor', 'prototype']

export const mapOf = <V>(list: readonly { readonly name: string; readonly value: V }[]): Record<string, V> =>
  Object.fromEntries(list.map(({ name, value }) => [name, value]))

/** Issues that prevent a list from becoming a map: a duplicate or an unsafe name. */
export function mapIssues(list: readonly { readonly name: string }[] | null, at: string): FieldIssue[] {
  const seen = new Set<string>()
  return (list ?? []).flatMap(({ name }, n) => {
    const path = `${at}/${n}/name`
    if (UNSAFE.includes(name)) return [{ path, message: `\`${name}\` is not accepted as a name`, code: 'unsafe_key' }]
    if (seen.has(name)) return [{ path, message: `\`${name}\` is there twice`, code: 'unique' }]
    seen.add(name)
    return []
  })
}

type ScalarValue = NamedScalar['value']
const isScalar = (value: unknown): value is ScalarValue =>
  typeof value === 'string' || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))

/** Collects the JSON pointers of values that a draft cannot express. */
export class Beyond {
  readonly paths: string[] = []

  add(path: string): void {
    this.paths.push(path)
  }

  /** The map as a list. Values that `takes` refuses are recorded as beyond a draft. */
  list<V>(map: Readonly<Record<string, unknown>> | undefined, at: string, takes: (value: unknown) => value is V) {
    if (map === undefined) return null
    return Object.entries(map).flatMap(([name, value]) => {
      if (takes(value) && !UNSAFE.includes(name)) return [{ name, value }]
      this.add(`${at}/${name}`)
      return []
    })
  }

  texts = (map: Readonly<Record<string, unknown>> | undefined, at: string): NamedText[] | null =>
    this.list(map, at, (value): value is string => typeof value === 'string')
  scalars = (map: Readonly<Record<string, unknown>> | undefined, at: string): NamedScalar[] | null =>
    this.list(map, at, isScalar)

  /** Records each of these keys that is set as beyond a draft. */
  none(object: Readonly<Record<string, unknown>>, keys: readonly string[], at: string): void {
    for (const key of keys) if (object[key] !== undefined) this.add(`${at}/${key}`)
  }
}
