/**
 * Gives a name to the two values that stand in hundreds of places of the document, a UUID and a moment, so that the
 * document and the types made from it say them once.
 */
import { Instant, Uuid } from './schema.js'

type Json = Record<string, unknown>

export const valueSchemas: Readonly<Record<string, Json>> = { Instant: plain(Instant), Uuid: plain(Uuid) }

const NAMES = new Map(Object.entries(valueSchemas).map(([name, schema]) => [keyOf(schema), name]))

/** A copy in which each such schema is a reference; a description of its own stays beside it. Examples are left alone. */
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

/** What a schema demands, whatever it is described as. */
function keyOf({ description: _, ...rest }: Json): string {
  return JSON.stringify(Object.entries(rest).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Without TypeBox's hidden marks. */
function plain(schema: object): Json {
  return JSON.parse(JSON.stringify(schema))
}
