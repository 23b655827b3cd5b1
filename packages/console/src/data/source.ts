/** A document in YAML, or in JSON, which is YAML too. Says at which line each of its parts begins. */
import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml'

/** Line and column count from 1. */
export interface Spot {
  readonly line: number
  readonly column: number
}

export interface Source {
  /** Null if the text cannot be read. */
  readonly value: unknown
  /** Why the text cannot be read. */
  readonly problems: readonly (Spot & { readonly message: string })[]
  /** Where the value of this JSON pointer begins, or its deepest part that exists. */
  spotOf(pointer: string): Spot
}

const ALIASES_MAX = 100

export function readSource(text: string): Source {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const spot = (offset: number): Spot => {
    const { line, col } = lines.linePos(offset)
    return { line: Math.max(1, line), column: Math.max(1, col) }
  }
  const spotOf = (pointer: string) => spot(offsetOf(document.contents, pointer, (node) => resolved(node, document)))
  const problems = document.errors.map(({ pos, message }) => ({ ...spot(pos[0]), message }))
  if (problems.length > 0) return { value: null, problems, spotOf }
  try {
    return { value: document.toJS({ maxAliasCount: ALIASES_MAX }), problems, spotOf }
  } catch (error) {
    return { value: null, problems: [{ ...spot(0), message: (error as Error).message }], spotOf }
  }
}

const resolved = (node: unknown, document: ReturnType<typeof parseDocument>): unknown =>
  isAlias(node) ? node.resolve(document) : node

function offsetOf(root: unknown, pointer: string, resolve: (node: unknown) => unknown): number {
  let node = resolve(root)
  let offset = startOf(root) ?? 0
  for (const escaped of pointer.split('/').slice(1)) {
    const name = escaped.replaceAll('~1', '/').replaceAll('~0', '~')
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === name)
      if (pair === undefined) return offset
      offset = startOf(pair.key) ?? offset
      node = resolve(pair.value)
    } else if (isSeq(node) && Number(name) < node.items.length) {
      const item = node.items[Number(name)]
      offset = startOf(item) ?? offset
      node = resolve(item)
    } else return offset
  }
  return offset
}

const startOf = (node: unknown): number | undefined => (node as Node | null)?.range?.[0]
