/**
 * The operations of a PATCH (RFC 7644, 3.5.2), in the spellings that directories use: any case, one value or several.
 */
import Type, { type Static } from 'typebox'
import { scimRefusal } from './dialect.js'
import { type Filter, readFilter, withFilter } from './filter.js'
import { foldPath, PATCH_SCHEMA } from './names.js'
import { checkDepth, foldedEntries } from './read.js'

const OPERATIONS_MAX = 1000

export const PatchBody = Type.Record(Type.String(), Type.Unknown())

export interface PatchOperation {
  readonly op: 'add' | 'remove' | 'replace'
  /** Null when the keys of the value name the attributes. */
  readonly path: Path | null
  readonly value: unknown
}

export interface Path {
  /** As the client spells it. */
  readonly text: string
  /** Folded, such as `emails` and `name.givenname`. */
  readonly name: string
  readonly filter: Filter | null
  /** The sub-attribute after a filter, folded; else null. */
  readonly sub: string | null
}

const OPS: ReadonlySet<string> = new Set(['add', 'remove', 'replace'])

/** @throws Refusal 400 `invalidSyntax`, `invalidPath`, `noTarget` */
export function readPatch(body: Static<typeof PatchBody>, schema: string): PatchOperation[] {
  checkDepth(body)
  const entries = foldedEntries(body)
  const unknown = Object.keys(body).find((key) => !['schemas', 'operations'].includes(key.toLowerCase()))
  if (unknown !== undefined) throw scimRefusal('invalidSyntax', unknown, 'is not a part of a PATCH')
  const schemas = entries.get('schemas')
  if (schemas !== undefined && !(Array.isArray(schemas) && schemas.includes(PATCH_SCHEMA))) {
    throw scimRefusal('invalidSyntax', 'schemas', `names ${PATCH_SCHEMA}`)
  }
  const operations = entries.get('operations')
  if (!Array.isArray(operations) || operations.length === 0) {
    throw scimRefusal('invalidSyntax', 'Operations', 'is a list of one or more operations')
  }
  if (operations.length > OPERATIONS_MAX) {
    throw scimRefusal('invalidSyntax', 'Operations', `has at most ${OPERATIONS_MAX} operations`)
  }
  return operations.map((operation, at) => readOperation(operation, at, schema))
}

function readOperation(operation: unknown, at: number, schema: string): PatchOperation {
  const field = `Operations[${at}]`
  if (typeof operation !== 'object' || operation === null || Array.isArray(operation)) {
    throw scimRefusal('invalidSyntax', field, 'is an object')
  }
  const entries = foldedEntries(operation as Record<string, unknown>)
  const said = entries.get('op')
  const op = typeof said === 'string' ? said.toLowerCase() : ''
  if (!OPS.has(op)) throw scimRefusal('invalidSyntax', `${field}.op`, 'is `add`, `remove` or `replace`')
  const text = entries.get('path')
  if (text !== undefined && text !== null && typeof text !== 'string') {
    throw scimRefusal('invalidPath', `${field}.path`, 'is a text')
  }
  const path = text === undefined || text === null || text === '' ? null : readPath(text, schema)
  const value = entries.get('value')
  if (op === 'remove' && path === null) throw scimRefusal('noTarget', `${field}.path`, 'names what is to be removed')
  if (op !== 'remove' && value === undefined) throw scimRefusal('invalidValue', `${field}.value`, 'is missing')
  return { op: op as PatchOperation['op'], path, value }
}

/** @throws Refusal 400 `invalidPath`, and `invalidFilter` for a filter in it */
export function readPath(text: string, schema: string): Path {
  if (text.length > 1000) throw scimRefusal('invalidPath', 'path', 'has at most 1000 characters')
  const open = text.indexOf('[')
  const close = text.lastIndexOf(']')
  if (open === -1) return { text, name: foldPath(text.trim(), schema), filter: null, sub: null }
  const rest = text.slice(close + 1)
  if (close < open || (rest !== '' && !rest.startsWith('.'))) {
    throw scimRefusal('invalidPath', 'path', `cannot be read: \`${text.slice(0, 60)}\``)
  }
  return {
    text,
    name: foldPath(text.slice(0, open).trim(), schema),
    filter: withFilter('body', () => readFilter(text.slice(open + 1, close))),
    sub: rest === '' ? null : rest.slice(1).toLowerCase(),
  }
}
