/**
 * Finds the regular expressions of a source: literals, and arguments of `RegExp` that consist of constants of the file.
 */
import ts from 'typescript'

export interface Found {
  /** Null if it is only known at run time. */
  readonly source: string | null
  readonly flags: string
  /** The expression as written in the file. */
  readonly text: string
}

export function patternsIn(path: string, text: string): Found[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const constants = constantsOf(file)
  const found: Found[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) found.push({ ...literal(node), text: node.text })
    else if ((ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText(file) === 'RegExp') {
      const [pattern, flags] = node.arguments ?? []
      // A literal argument is visited by itself.
      if (pattern !== undefined && !ts.isRegularExpressionLiteral(pattern)) {
        const known = flags === undefined ? '' : textOf(flags, constants)
        const source = known === null ? null : textOf(pattern, constants)
        found.push({ source, flags: known ?? '', text: node.getText(file) })
      }
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

function literal({ text }: ts.RegularExpressionLiteral): { source: string; flags: string } {
  const end = text.lastIndexOf('/')
  return { source: text.slice(1, end), flags: text.slice(end + 1) }
}

function constantsOf(file: ts.SourceFile): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer !== undefined) {
      const isRegExp = ts.isRegularExpressionLiteral(node.initializer)
      const text = isRegExp ? literal(node.initializer).source : textOf(node.initializer, found)
      if (text !== null) found.set(isRegExp ? `${node.name.text}.source` : node.name.text, text)
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

function textOf(node: ts.Expression, constants: ReadonlyMap<string, string>): string | null {
  if (ts.isStringLiteralLike(node)) return node.text
  if (ts.isIdentifier(node) || ts.isPropertyAccessExpression(node)) return constants.get(node.getText()) ?? null
  if (ts.isTaggedTemplateExpression(node) && node.tag.getText() === 'String.raw')
    return templateOf(node.template, constants, true)
  if (ts.isTemplateExpression(node)) return templateOf(node, constants, false)
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    const [left, right] = [textOf(node.left, constants), textOf(node.right, constants)]
    return left === null || right === null ? null : left + right
  }
  return null
}

function templateOf(node: ts.TemplateLiteral, constants: ReadonlyMap<string, string>, isRaw: boolean): string | null {
  const own = (part: ts.TemplateLiteralLikeNode) => (isRaw ? part.rawText : undefined) ?? part.text
  if (ts.isNoSubstitutionTemplateLiteral(node)) return own(node)
  let text = own(node.head)
  for (const { expression, literal: after } of node.templateSpans) {
    const inner = textOf(expression, constants)
    if (inner === null) return null
    text += inner + own(after)
  }
  return text
}
