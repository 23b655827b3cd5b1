/** Every place of a body, with a way to write a body that holds a text of JSON there. */
import { exampleOf } from '../../src/runtime/operation/example.js'
import type { Schema } from '../requests/from-schema.js'

export interface Place {
  readonly pointer: string
  readonly schema: Schema
  /** The whole body, with this JSON at the place. */
  write(json: string): string
}

const DEPTH_MAX = 5
/** Stands where the value goes; no example holds it. */
const MARK = '\u0001place\u0001'

export function placesOf(schema: Schema): Place[] {
  return within(schema, '', (value) => value, 0).map(({ pointer, schema: at, body }) => {
    const [before = '', after = ''] = JSON.stringify(body).split(JSON.stringify(MARK))
    return { pointer, schema: at, write: (json) => before + json + after }
  })
}

interface Found {
  readonly pointer: string
  readonly schema: Schema
  readonly body: unknown
}

function within(schema: Schema, pointer: string, wrap: (value: unknown) => unknown, depth: number): Found[] {
  const own: Found = { pointer, schema, body: wrap(MARK) }
  if (depth >= DEPTH_MAX) return [own]
  const below = (each: Schema, name: string, around: (value: unknown) => unknown) =>
    within(each, `${pointer}/${name}`, (value) => wrap(around(value)), depth + 1)
  const example = (schema.type === 'object' ? exampleOf(schema as never) : {}) as Record<string, unknown>
  return [
    own,
    ...Object.entries(schema.properties ?? {}).flatMap(([name, each]) =>
      below(each, name, (value) => ({ ...example, [name]: value })),
    ),
    ...(typeof schema.additionalProperties === 'object'
      ? below(schema.additionalProperties, 'key', (value) => ({ key: value }))
      : []),
    ...Object.values(schema.patternProperties ?? {}).flatMap((each) => below(each, 'key', (value) => ({ key: value }))),
    ...(schema.items === undefined ? [] : below(schema.items, '0', (value) => [value])),
    ...(schema.anyOf ?? []).flatMap((form) => within(form, pointer, wrap, depth + 1).slice(1)),
  ]
}
