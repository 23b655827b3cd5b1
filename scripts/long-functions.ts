/** Finds functions that are longer than a screen, except tables of data and test suites. */
import ts from 'typescript'

export interface LongFunction {
  readonly name: string
  readonly lines: number
}

const SUITE = new Set(['describe', 'it', 'test'])

/** Whether the function is a table of data: the columns of a domain, or a function that returns one literal. */
function isTable(node: ts.FunctionLikeDeclaration): boolean {
  const { parent, body } = node
  if (ts.isCallExpression(parent) && parent.expression.getText() === 'tableSet') return true
  if (body === undefined || ts.isBlock(body)) return false
  let value: ts.Expression = body
  while (ts.isParenthesizedExpression(value) || ts.isSatisfiesExpression(value) || ts.isAsExpression(value)) {
    value = value.expression
  }
  return ts.isArrayLiteralExpression(value) || ts.isObjectLiteralExpression(value)
}

/** Whether the function is a test suite that several files share. */
function isSuite(node: ts.Node): boolean {
  const calls = (child: ts.Node): boolean =>
    (ts.isCallExpression(child) && SUITE.has(child.expression.getText().split('.')[0] ?? '')) ||
    (ts.forEachChild(child, calls) ?? false)
  return calls(node)
}

export function longFunctions(file: string, text: string, linesMax: number): LongFunction[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const lineOf = (position: number) => source.getLineAndCharacterOfPosition(position).line
  const found: LongFunction[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body !== undefined) {
      const lines = lineOf(node.end) - lineOf(node.getStart()) + 1
      if (lines > linesMax && !isTable(node) && !isSuite(node)) found.push({ name: nameOf(node), lines })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

function nameOf(node: ts.FunctionLikeDeclaration): string {
  const named = node.name ?? ('name' in node.parent ? (node.parent.name as ts.Node | undefined) : undefined)
  return named?.getText() ?? 'a function without a name'
}
