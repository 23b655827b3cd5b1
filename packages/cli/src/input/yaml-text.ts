/**
 * YAML 1.2 documents with the position of every key and value. Merge keys and aliases lead to where they are written.
 * INVARIANT: values are those of JSON, except NaN, infinities and cycles that aliases can create. Aliases share one
 * object, so a small file never becomes a large value.
 */
import {
  Composer,
  type CST,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  type ParsedNode,
  Parser,
  type YAMLError,
  type YAMLMap,
} from 'yaml'
import { nestingMax, type Path, type Span, type SpanIndex } from './located.js'

/** How often aliases may expand in one document. Nested aliases multiply. */
const aliasCountMax = 10_000

/** One mistake causes many errors. The first ones are enough to find it. */
const errorsShownMax = 3

interface YamlProblem {
  readonly offset: number
  readonly message: string
}

export interface YamlDocument {
  readonly value: unknown
  readonly spans: SpanIndex
  /** The position of the document in the text. */
  readonly offset: number
  /** If there are any, `value` must not be used. */
  readonly errors: readonly YamlProblem[]
  readonly warnings: readonly YamlProblem[]
}

export function parseYaml(text: string): YamlDocument[] {
  const documents: Document.Parsed<ParsedNode>[] = []
  try {
    const composer = new Composer({ merge: true, prettyErrors: false, logLevel: 'error', stringKeys: true })
    for (const token of new Parser().parse(text)) {
      refuseDeepNesting(token)
      documents.push(...composer.next(token))
    }
    documents.push(...composer.end())
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return [failed(0, refusal(error))]
  }
  // For text without content the parser yields no document, although the YAML data model has one null.
  return documents.length === 0 ? [nothing] : documents.map((document) => toDocument(document, text))
}

const start = { keyStart: 0, valueStart: 0, valueEnd: 0 }
const nothing: YamlDocument = { value: null, offset: 0, errors: [], warnings: [], spans: { find: () => start } }

/**
 * The parser does not recurse, but later steps do. If V8 compiles a regular expression at the end of the stack, it ends
 * the process and not only the call. So the depth is measured first, without recursion.
 */
function refuseDeepNesting(token: CST.Token): void {
  let level: CST.Token[] = [token]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > nestingMax) throw new RangeError('nested too deeply')
    const below: CST.Token[] = []
    for (const { items, value } of level as { items?: CST.CollectionItem[]; value?: CST.Token | string }[]) {
      if (typeof value === 'object') below.push(value)
      for (const item of items ?? []) {
        if (item.key) below.push(item.key)
        if (item.value) below.push(item.value)
      }
    }
    level = below
  }
}

function toDocument(document: Document.Parsed<ParsedNode>, text: string): YamlDocument {
  const offset = document.contents?.range[0] ?? document.range[0]
  const problem = ({ code, pos, message }: YAMLError): YamlProblem => ({
    offset: pos[0],
    message:
      code === 'DUPLICATE_KEY'
        ? `the key \`${keyAt(text, pos[0])}\` appears twice`
        : code === 'NON_STRING_KEY'
          ? 'a key is a list or an object, keys are texts'
          : sentence(message),
  })
  const warnings = document.warnings.map(problem)
  if (document.errors.length > 0) {
    return { ...failed(offset, ''), errors: document.errors.slice(0, errorsShownMax).map(problem), warnings }
  }
  try {
    const value: unknown = document.toJS({ maxAliasCount: aliasCountMax })
    return { value, offset, errors: [], warnings, spans: { find: (path) => findSpan(document, path, offset) } }
  } catch (error) {
    return failed(offset, refusal(error))
  }
}

/**
 * The parser throws plain errors for what it finds late: alias bombs, unknown anchors, and merging a value that is not
 * a map.
 */
function refusal(error: unknown): string {
  if (error instanceof RangeError) return `nested deeper than ${nestingMax} levels`
  if (!(error instanceof Error) || error instanceof TypeError) throw error
  return error.message.includes('alias count')
    ? `aliases expand more than ${aliasCountMax} times`
    : sentence(error.message)
}

function failed(offset: number, message: string): YamlDocument {
  const span = { keyStart: offset, valueStart: offset, valueEnd: offset }
  return { value: null, offset, errors: [{ offset, message }], warnings: [], spans: { find: () => span } }
}

/** A key as written, with its quotes. */
function keyAt(text: string, offset: number): string {
  return /^("[^"\n]*"|'[^'\n]*'|[^:\n]*)/.exec(text.slice(offset, offset + 200))?.[0].trim() ?? ''
}

/** The parser's messages in the style of this project: lower case, no full stop. */
function sentence(message: string): string {
  const text = message.split('\n')[0] ?? message
  return (text.charAt(0).toLowerCase() + text.slice(1)).replace(/[.:]$/, '')
}

function findSpan(document: Document.Parsed<ParsedNode>, path: Path, offset: number): Span {
  let node: Node | null = document.contents
  let span = spanOf(node, node?.range?.[0] ?? offset, offset)
  for (const step of path) {
    const found = child(document, node, String(step))
    if (!found) break
    node = found.value
    span = spanOf(node, found.keyStart ?? node?.range?.[0] ?? span.keyStart, span.keyStart)
  }
  return span
}

function spanOf(node: Node | null, keyStart: number, fallback: number): Span {
  const [start, end] = node?.range ?? [keyStart, fallback]
  return { keyStart, valueStart: start, valueEnd: Math.max(end, start) }
}

interface Child {
  readonly keyStart: number | null
  readonly value: Node | null
}

function child(document: Document.Parsed<ParsedNode>, parent: Node | null, step: string): Child | null {
  const node = isAlias(parent) ? (parent.resolve(document) ?? null) : parent
  if (isSeq(node)) {
    const item = node.items[Number(step)] as Node | undefined
    return item ? { keyStart: item.range?.[0] ?? null, value: item } : null
  }
  return isMap(node) ? pairChild(document, node, step) : null
}

/** A key written in the map wins over keys that `<<` merges into it. */
function pairChild(document: Document.Parsed<ParsedNode>, map: YAMLMap, step: string): Child | null {
  const pairs = map.items as Pair<Node, Node | null>[]
  for (const pair of pairs) {
    if (isScalar(pair.key) && String(pair.key.value) === step) {
      return { keyStart: pair.key.range?.[0] ?? null, value: pair.value }
    }
  }
  for (const pair of pairs) {
    if (!isScalar(pair.key) || pair.key.source !== '<<') continue
    const merged = isAlias(pair.value) ? pair.value.resolve(document) : pair.value
    for (const source of isSeq(merged) ? (merged.items as Node[]) : [merged ?? null]) {
      const found = child(document, source, step)
      if (found) return found
    }
  }
  return null
}
