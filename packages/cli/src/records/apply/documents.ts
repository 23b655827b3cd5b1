/**
 * Reads the documents of files, folders or standard input, each with its kind and its position. Every problem of every
 * document is reported before anything is sent.
 */
import type { JsonSchema } from '@plumbline/engine'
import { nearestWord } from '@plumbline/engine/words'
import { type Io, UsageError } from '../../command.js'
import { type Diagnostic, refuseProblems } from '../../input/diagnostic.js'
import { diskTree } from '../../input/file-tree.js'
import { displayPath, findFiles, strayProblem } from '../../input/find-files.js'
import type { Located, Path } from '../../input/located.js'
import { parseText } from '../../input/parse-text.js'
import { readSource } from '../../input/read-source.js'
import {
  checkRecord,
  fileSchema,
  isAnything,
  isRecord,
  isText,
  oneOf,
  type RecordFields,
  recordSchema,
} from '../../input/record.js'
import { type KeyValues, keyText, loose } from '../keys.js'
import type { JsonObject } from '../resource.js'
import { type Kind, kinds } from './kinds.js'

export interface ApplyDocument {
  readonly kind: Kind
  readonly key: KeyValues
  /** `web-shop/acme`. */
  readonly name: string
  /** The fields that people set. */
  readonly fields: JsonObject
  /** The organization of the record that the document was made from, if it was. */
  readonly orgId: unknown
  readonly located: Located
  readonly at: Path
}

export interface ReadOptions {
  /** The kind of a document that does not name its kind. */
  readonly kind?: Kind
}

/**
 * In an order in which no record comes before one that it needs; otherwise in the order of the files.
 * @throws UsageError with every problem.
 */
export async function readApplyDocuments(
  names: readonly string[],
  io: Io,
  options: ReadOptions = {},
): Promise<ApplyDocument[]> {
  const documents: ApplyDocument[] = []
  const problems: Diagnostic[] = []
  for (const name of await filesOf(names, io)) {
    const { file, text } = await readSource(name, io)
    const parsed = parseText(file, text)
    problems.push(...parsed.problems)
    for (const located of parsed.documents) {
      for (const at of placesIn(located.value)) {
        const read = readDocument(located, at, options)
        if (Array.isArray(read)) problems.push(...read)
        else documents.push(read as ApplyDocument)
      }
    }
  }
  problems.push(...twice(documents))
  refuseProblems('record', problems)
  if (documents.length === 0) throw new UsageError('there is no document to apply')
  return kinds.flatMap((kind) => inNeed(documents.filter((document) => document.kind === kind)))
}

/**
 * Puts each document after those that it needs. A cycle keeps its order, and the server reports what is wrong with it.
 */
function inNeed(documents: readonly ApplyDocument[]): ApplyDocument[] {
  const byName = new Map(documents.map((document) => [document.name, document]))
  const ordered = new Set<ApplyDocument>()
  const begun = new Set<ApplyDocument>()
  const put = (document: ApplyDocument): void => {
    if (begun.has(document)) return
    begun.add(document)
    for (const name of document.kind.needs?.(document.fields) ?? []) {
      const needed = byName.get(name)
      if (needed !== undefined) put(needed)
    }
    ordered.add(document)
  }
  documents.forEach(put)
  return [...ordered]
}

async function filesOf(names: readonly string[], io: Io): Promise<string[]> {
  const files: string[] = []
  for (const name of names) {
    if (name === '-') {
      files.push(name)
      continue
    }
    const found = await findFiles(diskTree, [name], { cwd: io.cwd })
    refuseProblems(
      'document',
      found.strays.map((link) => strayProblem(link, io.cwd)),
    )
    if (found.missing.length > 0) throw new UsageError(`\`${name}\` does not exist`)
    if (found.unmatched.length > 0) throw new UsageError(`\`${name}\` holds no YAML or JSON file`)
    files.push(...found.files.map((file) => displayPath(io.cwd, file)))
  }
  return files
}

/** A document may be a list of records, as an exported file is, or a file of rules as `plumbline check` reads it. */
function placesIn(value: unknown): Path[] {
  if (Array.isArray(value)) return value.map((_, index) => [index])
  return isRuleFile(value) ? value.rules.map((_, index) => ['rules', index]) : [[]]
}

const isRuleFile = (value: unknown): value is { readonly rules: readonly unknown[] } =>
  isRecord(value) && value.kind === undefined && Object.keys(value).length === 1 && Array.isArray(value.rules)

const valueAt = (value: unknown, at: Path): unknown =>
  at.reduce<unknown>((part, key) => (part as Record<string | number, unknown>)[key], value)

const RULE = kinds.find(({ name }) => name === 'Rule')

function readDocument(located: Located, at: Path, options: ReadOptions): ApplyDocument | Diagnostic[] {
  const value = valueAt(located.value, at)
  const problem = (field: string | null, message: string, fix: string): Diagnostic => ({
    file: located.file,
    position: located.positionOf(field === null ? at : [...at, field]),
    ...(field === null ? {} : { field }),
    message,
    fix,
  })
  if (!isRecord(value)) return [problem(null, 'expected an object', 'write `key: value` pairs')]
  const kind = kindOf(value, at[0] === 'rules' && RULE !== undefined ? { kind: RULE, ...options } : options)
  if (typeof kind === 'string') return [problem(value.kind === undefined ? null : 'kind', kind, KIND_FIX)]
  const problems = checkRecord(located, at, value, fieldsOf(kind))
  if (problems.length > 0) return problems
  const { key } = kind.resource
  const wanted = [...kind.fields, ...(kind.createOnly ?? []), ...(kind.alongside ?? [])]
  const fields = Object.fromEntries(wanted.flatMap((field) => (field in value ? [[field, value[field]]] : [])))
  // The server stores a name without the space around it.
  const named = Object.fromEntries(key.fields.map((field) => [field, String(value[field]).trim()]))
  return {
    kind,
    key: named,
    name: keyText(kind.resource, named),
    fields: kind.complete?.(fields, { ...value, ...named }) ?? fields,
    orgId: value.orgId,
    located,
    at,
  }
}

/** JSON Schema of what `apply` takes, for editors: one document, a list of them, or a file of rules. */
export const documentsSchema = (): JsonSchema =>
  fileSchema('Documents of plumbline apply', {
    if: { type: 'array' },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { items: { $ref: '#/$defs/document' } },
    else: {
      if: { type: 'object', required: ['rules'], maxProperties: 1, properties: { rules: { type: 'array' } } },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { properties: { rules: { items: { $ref: '#/$defs/Rule' } } } },
      else: { $ref: '#/$defs/document' },
    },
    $defs: {
      document: {
        type: 'object',
        required: ['kind'],
        properties: { kind: { enum: kinds.map(({ name }) => name) } },
        allOf: kinds.map(({ name }) => ({
          if: { properties: { kind: { const: name } }, required: ['kind'] },
          // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
          then: { $ref: `#/$defs/${name}` },
        })),
      },
      ...Object.fromEntries(
        kinds.map((kind) => {
          const fields = { ...fieldsOf(kind), kind: { check: oneOf(kind.name) } }
          return [kind.name, recordSchema(fields)]
        }),
      ),
    },
  })

const KIND_FIX = `say \`kind: ${kinds.map(({ name }) => name).join('`, `kind: ')}\``

function kindOf({ kind }: JsonObject, options: ReadOptions): Kind | string {
  if (kind === undefined) return options.kind ?? 'the document does not say its kind'
  const found = kinds.find(({ name }) => name === kind)
  if (found === undefined) {
    const near = nearestWord(
      String(kind),
      kinds.map(({ name }) => name),
    )
    return `unknown kind${near === null ? '' : `, did you mean \`${near}\`?`}`
  }
  if (options.kind !== undefined && found !== options.kind) return `this is a ${found.name}, not a ${options.kind.name}`
  return found
}

function fieldsOf({ resource, fields, serverOwned, createOnly = [], alongside = [] }: Kind): RecordFields {
  return {
    kind: { check: isText },
    ...Object.fromEntries(
      [...fields, ...createOnly, ...alongside, ...serverOwned].map((field) => [field, { check: isAnything }]),
    ),
    ...Object.fromEntries(resource.key.fields.map((field) => [field, { check: isText, required: true }])),
  }
}

/** Two documents of the same record would undo each other in every run. */
function twice(documents: readonly ApplyDocument[]): Diagnostic[] {
  const seen = new Map<string, ApplyDocument>()
  return documents.flatMap((document) => {
    const { kind, key, located, at, name } = document
    const identity = `${kind.name} ${Object.values(key)
      .map((text) => (kind.resource.key.isLoose === true ? loose(text) : text))
      .join('\n')}`
    const first = seen.get(identity)
    seen.set(identity, first ?? document)
    if (first === undefined) return []
    const message = `${kind.name} ${name} stands in ${first.located.file}:${first.located.positionOf(first.at).line} already`
    return [{ file: located.file, position: located.positionOf(at), message, fix: 'remove one of them' }]
  })
}
