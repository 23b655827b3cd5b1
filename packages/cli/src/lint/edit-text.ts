/**
 * Changes single values in the text of a YAML or JSON file through its syntax tree, so that comments, quotes, blank lines
 * and order stay as they are.
 *
 * INVARIANT: an edit is kept only when the new text reads back as exactly the value that the edit describes; otherwise
 * the text is returned untouched.
 */
import { isDeepStrictEqual } from 'node:util'
import type { JsonValue } from '@plumbline/engine'
import type { PatchOperation } from '@plumbline/engine/lint'
import { Composer, CST, type Document, isAlias, isCollection, isNode, isSeq, Parser } from 'yaml'
import { type Path, pointerPath } from '../input/located.js'
import { parseYaml } from '../input/yaml-text.js'

export interface Edit {
  /** Which document of the file, from 0. */
  readonly ordinal: number
  /** The path of the patched value in the document. */
  readonly at: Path
  readonly patch: readonly PatchOperation[]
}

/** The new text, or null when the edit cannot be made without touching more than its value. */
export function editText(text: string, edit: Edit, isJson: boolean): string | null {
  return editTogether(text, [edit], isJson)
}

interface EditedText<E extends Edit> {
  readonly text: string
  /** The edits that could be made. */
  readonly made: readonly E[]
}

/**
 * Makes every edit that can be made. The order of `edits` must be such that none moves the place of a later one.
 *
 * Each attempt reads the text three times, so all edits are tried together first. If one of them fails, each half is
 * tried.
 */
export function editEach<E extends Edit>(text: string, edits: readonly E[], isJson: boolean): EditedText<E> {
  if (edits.length === 0) return { text, made: [] }
  const changed = editTogether(text, edits, isJson)
  if (changed !== null) return { text: changed, made: edits }
  if (edits.length === 1) return { text, made: [] }
  const middle = edits.length >> 1
  const first = editEach(text, edits.slice(0, middle), isJson)
  const second = editEach(first.text, edits.slice(middle), isJson)
  return { text: second.text, made: [...first.made, ...second.made] }
}

function editTogether(text: string, edits: readonly Edit[], isJson: boolean): string | null {
  const tokens = [...new Parser().parse(text)]
  const documents = [...new Composer({ keepSourceTokens: true, merge: true }).compose(tokens)]
  if (documents.some(({ errors }) => errors.length > 0)) return null
  const wanted = parseYaml(text).map(({ value }) => value)
  for (const { ordinal, at, patch } of edits) {
    const document = documents[ordinal]
    if (!document) return null
    for (const operation of patch) {
      const path = [...at, ...pointerPath(operation.path)]
      const isMade =
        operation.op === 'remove'
          ? removeEntry(document, path)
          : operation.op === 'replace' && replaceScalar(document, path, operation.value, isJson)
      if (!isMade) return null
      wanted[ordinal] = patched(wanted[ordinal], path, operation)
    }
  }
  const changed = tokens.map((token) => CST.stringify(token)).join('')
  const read = parseYaml(changed)
  const isAsWanted =
    read.every(({ errors }) => errors.length === 0) &&
    isDeepStrictEqual(
      read.map(({ value }) => value),
      wanted,
    )
  return isAsWanted ? changed : null
}

function tokenAt(document: Document, path: Path): CST.Token | null {
  let node: unknown = document.contents
  for (const step of path) {
    // An alias points to a value that is written, and used, in another place too.
    if (!isCollection(node)) return null
    node = node.get(isSeq(node) ? Number(step) : String(step), true)
  }
  return isNode(node) && !isAlias(node) ? (node.srcToken ?? null) : null
}

function replaceScalar(document: Document, path: Path, value: JsonValue, isJson: boolean): boolean {
  const token = tokenAt(document, path)
  if (token === null || !CST.isScalar(token) || token.type === 'block-scalar' || token.type === 'alias') return false
  const isQuoted = token.type !== 'scalar'
  token.source = isJson ? JSON.stringify(value) : flowText(value, isQuoted ? token.type : 'scalar')
  token.type = 'scalar'
  return true
}

/** The value as YAML on one line, in the place of the scalar. */
function flowText(value: JsonValue, style: CST.FlowScalar['type']): string {
  if (Array.isArray(value)) return `[${value.map((entry: JsonValue) => flowText(entry, style)).join(', ')}]`
  if (typeof value !== 'string') return JSON.stringify(value)
  if (style === 'single-quoted-scalar' && !/[\n\r\t]/.test(value)) return `'${value.replaceAll("'", "''")}'`
  return style === 'scalar' && /^[A-Za-z][\w-]*$/.test(value) && !isWord(value) ? value : JSON.stringify(value)
}

/** Words that YAML reads as something other than text. */
const isWord = (text: string) => /^(null|true|false|yes|no|on|off|y|n)$/i.test(text)

function removeEntry(document: Document, path: Path): boolean {
  const index = Number(path.at(-1))
  const list = tokenAt(document, path.slice(0, -1))
  const isList = list?.type === 'block-seq' || (list?.type === 'flow-collection' && list.start.source === '[')
  if (!isList || !Number.isInteger(index)) return false
  const { items } = list
  const removed = items[index]
  // A block list without its last entry cannot be written.
  if (!removed?.value || items.length < 2) return false
  items.splice(index, 1)
  const [first] = items
  // What comes before the first entry belongs to the list. What comes before the others (a comma, the indentation)
  // separates.
  if (index === 0 && first) {
    const separator = list.type === 'block-seq' ? 'seq-item-ind' : 'comma'
    const after = first.start.findIndex(({ type }) => type === separator) + 1
    first.start = [...removed.start, ...withoutLeadingSpace(first.start.slice(after))]
  }
  return true
}

function withoutLeadingSpace(tokens: readonly CST.SourceToken[]): readonly CST.SourceToken[] {
  return tokens[0]?.type === 'space' ? tokens.slice(1) : tokens
}

/** A copy in which one value is replaced or one entry removed. */
function patched(value: unknown, path: Path, operation: PatchOperation): unknown {
  const [step, ...rest] = path
  if (step === undefined) return operation.op === 'remove' ? undefined : operation.value
  if (Array.isArray(value)) {
    const index = Number(step)
    if (rest.length === 0 && operation.op === 'remove') return value.toSpliced(index, 1)
    return value.with(index, patched(value[index], rest, operation))
  }
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, member]) => {
    return [key, key === String(step) ? patched(member, rest, operation) : member] as const
  })
  return Object.fromEntries(entries)
}
