/**
 * Reads a YAML document as data: only values that JSON has, each key once, no custom tags, with the location of each
 * value. Source: spec platform 10.2 (YAML).
 */
import {
  Composer,
  type CST,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  type ParsedNode,
  Parser,
  visit,
} from 'yaml'
import { ManifestFault, type ManifestIssue } from './issue.js'

export const ALIASES_MAX = 100
const DEPTH_MAX = 50
/** The YAML composer compares each key of a map with all earlier ones. No map of a specification needs as many keys. */
const KEYS_MAX = 1000

export interface Source {
  readonly file: string
  readonly value: unknown
  /** An issue at the location of this pointer, or of its deepest part that exists. */
  issue(pointer: string, message: string, code: string): ManifestIssue
}

/** @throws ManifestFault with every problem that the parser finds. */
export function readSource(file: string, text: string): Source {
  const lines = new LineCounter()
  const at = (offset: number, message: string, code: string, pointer = ''): ManifestIssue => {
    const { line, col } = lines.linePos(offset)
    return { file, line, column: col, pointer, message, code }
  }
  const document = compose(text, lines, at)
  const problems = [...document.errors, ...document.warnings].map(({ pos, message, code }) =>
    at(pos[0], code === 'DUPLICATE_KEY' ? 'the key appears twice' : sentence(message), code.toLowerCase()),
  )
  problems.push(...aliasIssues(document, at))
  if (problems.length > 0) throw new ManifestFault(problems)
  keepSourceTexts(document)
  return {
    file,
    value: dataOf(document, at) ?? {},
    issue: (pointer, message, code) => at(offsetOf(document, pointer), message, code, pointer),
  }
}

/** Nested aliases count with the number of nodes that they expand to. */
function dataOf(document: Document.Parsed<ParsedNode>, at: Place): unknown {
  try {
    return document.toJS({ maxAliasCount: ALIASES_MAX })
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error
    throw new ManifestFault([at(0, `has aliases that expand more than ${ALIASES_MAX} times`, 'aliases')])
  }
}

type Place = (offset: number, message: string, code: string) => ManifestIssue

function compose(text: string, lines: LineCounter, at: Place): Document.Parsed<ParsedNode> {
  const composer = new Composer({
    schema: 'core',
    merge: false,
    uniqueKeys: true,
    stringKeys: true,
    // Tags for types that JSON lacks are refused, known or not.
    resolveKnownTags: false,
    prettyErrors: false,
    logLevel: 'error',
  })
  const documents: Document.Parsed<ParsedNode>[] = []
  for (const token of new Parser(lines.addNewLine).parse(text)) {
    const crowded = boundsOf(token)
    if (crowded === 'depth') throw new ManifestFault([at(0, `is nested deeper than ${DEPTH_MAX} levels`, 'depth')])
    if (crowded !== null) throw new ManifestFault([at(crowded, `has more than ${KEYS_MAX} keys in one map`, 'keys')])
    documents.push(...composer.next(token))
  }
  documents.push(...composer.end())
  const [first, second] = documents
  if (first === undefined) throw new ManifestFault([at(0, 'is empty', 'empty')])
  if (second !== undefined) throw new ManifestFault([at(second.range[0], 'holds a second document', 'documents')])
  return first
}

/**
 * The composer recurses and compares keys, so depth and number of keys are checked first, level by level. Returns null
 * within both limits, `depth`, or the offset of the map with too many keys.
 */
function boundsOf(token: CST.Token): 'depth' | number | null {
  let level: CST.Token[] = [token]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEPTH_MAX) return 'depth'
    const below: CST.Token[] = []
    for (const each of level) {
      const { items = [], value } = each as { items?: CST.CollectionItem[]; value?: CST.Token | string }
      // guard: keys-of-a-map-are-counted-before-they-are-compared
      if (isMapToken(each) && items.length > KEYS_MAX) return each.offset
      if (typeof value === 'object') below.push(value)
      for (const { key, value: inner } of items) {
        if (key) below.push(key)
        if (inner) below.push(inner)
      }
    }
    level = below
  }
  return null
}

const isMapToken = (token: CST.Token): token is CST.BlockMap | CST.FlowCollection =>
  token.type === 'block-map' || (token.type === 'flow-collection' && token.start.source === '{')

function aliasIssues(document: Document.Parsed<ParsedNode>, at: Place): ManifestIssue[] {
  const issues: ManifestIssue[] = []
  let aliases = 0
  visit(document, {
    Alias(_key, alias) {
      aliases += 1
      if (aliases === ALIASES_MAX + 1) {
        issues.push(at(alias.range?.[0] ?? 0, `has more than ${ALIASES_MAX} aliases`, 'aliases'))
      } else if (alias.resolve(document) === undefined && issues.length < 10) {
        issues.push(at(alias.range?.[0] ?? 0, 'is an alias of nothing before it', 'alias'))
      }
    },
    Scalar(_key, { value, range }) {
      if (typeof value === 'number' && !Number.isFinite(value)) {
        issues.push(at(range?.[0] ?? 0, 'is not a number that JSON knows', 'number'))
      }
    },
    Pair(_key, pair) {
      if (isScalar(pair.key) && pair.key.value === '__proto__') {
        issues.push(at(pair.key.range?.[0] ?? 0, 'is a key that is not accepted', 'unsafe_key'))
      }
    },
  })
  return issues
}

const MAPS_OF_TEXTS = ['env', 'buildArgs']

/** `VERSION: 3.10` is a number in YAML and a text in a shell: the text as written is kept. */
function keepSourceTexts(document: Document.Parsed<ParsedNode>): void {
  if (!isMap(document.contents)) return
  for (const key of MAPS_OF_TEXTS) {
    const node = document.contents.get(key, true) as Node | undefined
    const map = isAlias(node) ? node.resolve(document) : node
    if (!isMap(map)) continue
    for (const { value } of map.items) {
      if (isScalar(value) && typeof value.value !== 'string' && value.value !== null && value.source !== undefined) {
        value.value = value.source
      }
    }
  }
}

/** Rewrites a message of the parser in the style of this project. */
function sentence(message: string): string {
  const [first = message] = message.split('\n')
  return (first.charAt(0).toLowerCase() + first.slice(1)).replace(/[.:]$/, '')
}

function offsetOf(document: Document.Parsed<ParsedNode>, pointer: string): number {
  let node: Node | null = document.contents
  let offset = node?.range?.[0] ?? 0
  for (const escaped of pointer.split('/').slice(1)) {
    const step = escaped.replaceAll('~1', '/').replaceAll('~0', '~')
    const parent: Node | null = isAlias(node) ? (node.resolve(document) ?? null) : node
    let next: Node | null | undefined
    if (isSeq(parent)) {
      next = parent.items[Number(step)] as Node | undefined
      offset = next?.range?.[0] ?? offset
    } else if (isMap(parent)) {
      const pair = (parent.items as Pair<Node, Node | null>[]).find(
        ({ key }) => isScalar(key) && String(key.value) === step,
      )
      next = pair?.value
      offset = pair?.key.range?.[0] ?? offset
    }
    if (next === undefined || next === null) break
    node = next
  }
  return offset
}
