/**
 * A parsed document with the position of each of its values in the source.
 * INVARIANT: lines and columns count from 1; columns count UTF-16 units, as SARIF does by default.
 */
import type { LineIndex } from './line-index.js'
import type { Position } from './position.js'

/** How deep readers accept nesting, because they recurse. The limit for entities is far lower. */
export const nestingMax = 200

/** Keys and list indexes from the document's root. */
export type Path = readonly (string | number)[]

/** The place of a path: its key (or list entry) and its value, as offsets. */
export interface Span {
  readonly keyStart: number
  readonly valueStart: number
  readonly valueEnd: number
}

/** What the parser of a format provides: the span of the deepest part of a path that exists. */
export interface SpanIndex {
  find(path: Path): Span
}

export interface Located {
  /** Name as shown to people: relative to the working folder, with forward slashes. */
  readonly file: string
  /** Which document of the file, from 0. */
  readonly ordinal: number
  readonly value: unknown
  /** Position of the key at `path` (or its value); of the nearest existing ancestor when the path is absent. */
  positionOf(path: Path, at?: 'key' | 'value'): Position
  /** Where the value at `path` (or its nearest existing ancestor) ends, exclusive. */
  endOf(path: Path): Position
  /** A line of the source without its line break. */
  lineText(line: number): string
}

export function locate(file: string, ordinal: number, value: unknown, lines: LineIndex, spans: SpanIndex): Located {
  return {
    file,
    ordinal,
    value,
    positionOf: (path, at = 'key') => {
      const span = spans.find(path)
      return lines.positionOf(at === 'key' ? span.keyStart : span.valueStart)
    },
    endOf: (path) => lines.positionOf(spans.find(path).valueEnd),
    lineText: (line) => lines.lineText(line),
  }
}

/** RFC 6901: `/conditions/0/field` gives `['conditions', '0', 'field']`. */
export function pointerPath(pointer: string): string[] {
  if (pointer === '') return []
  return pointer
    .slice(1)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
}
