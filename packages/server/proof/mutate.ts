/** The text of a source as it would be without a guard. Places are found by syntax, never by line. */
import ts from 'typescript'
import type { Change, Edited } from './guard.js'

type Edit = readonly [from: number, to: number, put: string]
type Mutation = Exclude<Change, { kind: 'quote' }>

/** The names of the markers of a text, each as often as it stands there. */
export const markersOf = (text: string): string[] => [...text.matchAll(MARKERS)].map(([, name]) => name ?? '')

const MARKERS = /^[ \t]*\/\/ guard: (.+)$/gm

/** INVARIANT: the text holds the marker once; a test holds the sources to it. */
export function mutate(text: string, name: string, change: Mutation): string {
  const source = ts.createSourceFile('guarded.ts', text, ts.ScriptTarget.Latest, true)
  const node = markedNode(source, text, name)
  const edits =
    change.kind === 'each' ? change.parts.map((part) => editOf(part, node, source)) : [editOf(change, node, source)]
  // From the end, so that each edit leaves the places of the others.
  return edits
    .toSorted(([left], [right]) => right - left)
    .reduce((changed, [from, to, put]) => changed.slice(0, from) + put + changed.slice(to), text)
}

/** The largest node that the marker stands before. */
function markedNode(source: ts.SourceFile, text: string, name: string): ts.Node {
  const at = new RegExp(`// guard: ${name}$`, 'm').exec(text)?.index
  if (at === undefined) throw new Error(`no marker is named ${name}`)
  const find = (node: ts.Node): ts.Node | undefined => {
    if (at < node.pos || at >= node.end) return undefined
    return !ts.isSourceFile(node) && at < node.getStart(source) ? node : ts.forEachChild(node, find)
  }
  const found = find(source)
  if (found === undefined) throw new Error(`the marker ${name} marks nothing`)
  return found
}

function editOf(change: Edited, node: ts.Node, source: ts.SourceFile): Edit {
  if (change.kind === 'drop') return dropped(node, source)
  if (change.kind === 'value') {
    const part = deciding(node)
    return [part.getStart(source), part.end, change.put]
  }
  const at = node.getText(source).indexOf(change.find)
  if (at === -1) throw new Error(`the marked code does not hold ${change.find}`)
  const from = node.getStart(source) + at
  return [from, from + change.find.length, change.put]
}

function dropped(node: ts.Node, source: ts.SourceFile): Edit {
  const { parent } = node
  const [start, end] = [node.getStart(source), node.end]
  if (ts.isBinaryExpression(parent)) {
    return parent.right === node ? [parent.left.end, end, ''] : [start, parent.right.getStart(source), '']
  }
  const comma = /^\s*,/.exec(source.text.slice(end))
  return [start, end + (comma?.[0].length ?? 0), '']
}

/** What decides in a node: a condition, a result, the value of a name. */
function deciding(node: ts.Node): ts.Node {
  if (ts.isIfStatement(node) || ts.isWhileStatement(node)) return node.expression
  if (ts.isConditionalExpression(node)) return node.condition
  if (ts.isReturnStatement(node) || ts.isArrowFunction(node)) return expressionOf(node)
  if (ts.isExpressionStatement(node)) return deciding(node.expression)
  if (ts.isBinaryExpression(node) && isAssignment(node)) return node.right
  if (ts.isPropertyAssignment(node)) return deciding(node.initializer)
  if (ts.isVariableStatement(node)) {
    const [first] = node.declarationList.declarations
    if (first?.initializer !== undefined)
      return ts.isArrowFunction(first.initializer) ? deciding(first.initializer) : first.initializer
  }
  return node
}

const expressionOf = (node: ts.ReturnStatement | ts.ArrowFunction): ts.Node =>
  ts.isReturnStatement(node) ? (node.expression ?? node) : node.body

const isAssignment = ({ operatorToken: { kind } }: ts.BinaryExpression): boolean =>
  kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment
