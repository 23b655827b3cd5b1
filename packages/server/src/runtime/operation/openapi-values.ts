/**
 * Names two values that occur hundreds of times in the document, a UUID and an instant, so that the document and the
 * generated types define each once.
 */
import { Instant, Uuid } from './schema.js'

type Json = Record<string, unknown>

export const valueSchemas: Readonly<Record<string, Json>> = { Instant: plain(Instant), Uuid: plain(Uuid) }

const NAMES = new Map(Object.entries(valueSchemas).map(([name, schema]) => [keyOf(schema), name]))

/**
 * Returns a copy in which each such schema is a reference. A description is kept next to the reference. Examples are
 * unchanged.
 */
export function referToValues(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(referToValues)
  if (typeof node !== 'object' || node === null) return node
  const { description, ...rest } = node as Json
  const name = 'type' in rest ? NAMES.get(keyOf(rest)) : undefined
  if (name === undefined) {
    const entries = Object.entries(node as Json)
    return Object.fromEntries(
      entries.map(([key, value]) => [key, key === 'example' || key === 'examples' ? value : referToValues(value)]),
    )
  }
  const own = description === undefined || description === valueSchemas[name]?.['description'] ? {} : { description }
  return { $ref: `#/components/schemas/${name}`, ...own }
}

/** The constraints of a schema, without its description. */
function keyOf({ description: _, ...rest }: Json): string {
  return JSON.stringify(Object.entries(rest).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Without TypeBox's hidden marks. */
function plain(schema: object): Json {
  return JSON.parse(JSON.stringify(schema))
}
