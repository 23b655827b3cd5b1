/**
 * The part of a source line that a report may show with a finding.
 * INVARIANT: a value is shown only if the engine published the same value as `actual`; otherwise only the key is shown.
 * So a secret that happens to be on the line never reaches a log.
 */
import type { JsonValue } from '@plumbline/engine'
import type { Located, Path } from '../input/located.js'

const excerptMax = 120

export interface Excerpt {
  /** Empty when there is nothing to show. */
  readonly text: string
  readonly endColumn: number | null
}

export function excerptOf(located: Located, path: Path, actual: JsonValue): Excerpt {
  const key = located.positionOf(path)
  const value = located.positionOf(path, 'value')
  const end = located.endOf(path)
  const line = located.lineText(key.line)
  const isOneLine = end.line === key.line && value.line === key.line
  const isPublished = isScalar(actual) && valueAt(located.value, path) === actual
  const whole = isOneLine && isPublished ? line.slice(key.column - 1, end.column - 1).trimEnd() : null
  const keyText = value.line === key.line ? line.slice(key.column - 1, value.column - 1) : line.slice(key.column - 1)
  // A list entry or a whole entity has no key to show.
  const hasKey = value.column !== key.column || value.line !== key.line
  const text = whole ?? (hasKey ? `${keyText.trimEnd()} …` : '')
  return { text: text.slice(0, excerptMax), endColumn: whole === null ? null : key.column + whole.length }
}

function isScalar(value: unknown): boolean {
  return typeof value !== 'object' && value !== undefined
}

function valueAt(root: unknown, path: Path): unknown {
  let value = root
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    value = (value as Readonly<Record<string | number, unknown>>)[step]
  }
  return value
}
