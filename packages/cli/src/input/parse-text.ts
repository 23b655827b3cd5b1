/**
 * Parses the text of a file into located documents: YAML (also several documents), JSON or NDJSON.
 * INVARIANT: every document of the text is returned, as a document or as a problem.
 */
import type { Diagnostic } from './diagnostic.js'
import { JsonSyntaxError, parseJson } from './json-text.js'
import { LineIndex } from './line-index.js'
import { type Located, locate } from './located.js'
import { parseYaml } from './yaml-text.js'

export type TextFormat = 'yaml' | 'json' | 'ndjson'

/** Extensions that folders and globs are searched for. */
const formatByExtension: Readonly<Record<string, TextFormat>> = {
  yaml: 'yaml',
  yml: 'yaml',
  json: 'json',
  ndjson: 'ndjson',
  jsonl: 'ndjson',
}

export interface ParsedText {
  readonly documents: readonly Located[]
  /** Documents that could not be read. The others are still returned. */
  readonly problems: readonly Diagnostic[]
  readonly warnings: readonly Diagnostic[]
}

/** Without a known extension the content decides the format. */
export function parseText(file: string, text: string, format = formatOf(file) ?? sniff(text)): ParsedText {
  if (text.trim() === '') {
    return {
      documents: [],
      warnings: [],
      problems: [{ file, message: 'the file is empty', fix: 'remove it or fill it' }],
    }
  }
  const lines = new LineIndex(text)
  if (format === 'json') return parseJsonText(file, text, lines)
  if (format === 'ndjson') return parseLines(file, text, lines)
  return parseYamlText(file, text, lines)
}

export function formatOf(file: string): TextFormat | null {
  const extension = /\.([a-z]+)$/i.exec(file)?.[1]?.toLowerCase() ?? ''
  return Object.hasOwn(formatByExtension, extension) ? (formatByExtension[extension] ?? null) : null
}

/** JSON when it starts like JSON; NDJSON when its first line is a whole object and more text follows. */
function sniff(text: string): TextFormat {
  const start = text.trimStart()
  if (!/^[[{]/.test(start)) return 'yaml'
  const lineEnd = start.indexOf('\n')
  if (lineEnd < 0 || start.slice(lineEnd).trim() === '') return 'json'
  try {
    parseJson(start.slice(0, lineEnd))
    return 'ndjson'
  } catch {
    return 'json'
  }
}

function parseJsonText(file: string, text: string, lines: LineIndex): ParsedText {
  try {
    const { value, spans } = parseJson(text)
    return withoutNull(file, [locate(file, 0, value, lines, spans)], 'remove it')
  } catch (error) {
    return { documents: [], warnings: [], problems: [jsonProblem(file, error, lines)] }
  }
}

function parseLines(file: string, text: string, lines: LineIndex): ParsedText {
  const documents: Located[] = []
  const problems: Diagnostic[] = []
  let offset = 0
  for (const line of text.split('\n')) {
    if (line.trim() !== '') {
      try {
        const { value, spans } = parseJson(line, offset)
        documents.push(locate(file, documents.length, value, lines, spans))
      } catch (error) {
        problems.push(jsonProblem(file, error, lines))
      }
    }
    offset += line.length + 1
  }
  const checked = withoutNull(file, documents, 'remove it')
  return { ...checked, problems: [...problems, ...checked.problems] }
}

function parseYamlText(file: string, text: string, lines: LineIndex): ParsedText {
  const documents: Located[] = []
  const problems: Diagnostic[] = []
  const warnings: Diagnostic[] = []
  for (const [ordinal, document] of parseYaml(text).entries()) {
    for (const { offset, message } of document.errors) {
      problems.push({ file, position: lines.positionOf(offset), message, fix: 'correct the YAML' })
    }
    for (const { offset, message } of document.warnings) {
      warnings.push({ file, position: lines.positionOf(offset), message })
    }
    if (document.errors.length === 0) documents.push(locate(file, ordinal, document.value, lines, document.spans))
  }
  const checked = withoutNull(file, documents, 'remove it, and a `---` that nothing follows')
  return { documents: checked.documents, warnings, problems: [...problems, ...checked.problems] }
}

/** A document without content is a mistake and not an entity without fields: that would satisfy every negative rule. */
function withoutNull(file: string, documents: readonly Located[], fix: string): ParsedText {
  const problems = documents
    .filter((document) => document.value === null)
    .map((document) => ({
      file,
      position: document.positionOf([]),
      message: 'the document is null or empty',
      fix,
    }))
  return { documents: documents.filter((document) => document.value !== null), problems, warnings: [] }
}

function jsonProblem(file: string, error: unknown, lines: LineIndex): Diagnostic {
  if (!(error instanceof JsonSyntaxError)) throw error
  return { file, position: lines.positionOf(error.offset), message: error.message, fix: 'correct the JSON' }
}
