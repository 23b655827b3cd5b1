/**
 * The grammar of `field` (spec compliance 3).
 *
 * `path = segment (("." segment) | bracket)*`, `bracket = "[" digits "]"` or a quoted text with `\` escapes,
 * `call = "$" fn "(" (path | call) ")"`. INVARIANT: a parsed path has 1 to 20 segments, none empty, and at most 3 calls.
 */
import type { ComputedFunctionName } from '../types.js'

export const MAX_PATH_LENGTH = 100
export const MAX_PATH_SEGMENTS = 20
export const MAX_CALL_DEPTH = 3

export interface FieldPath {
  /** The path as its author wrote it. */
  readonly text: string
  /** Computed functions; the outermost is first. */
  readonly calls: readonly ComputedFunctionName[]
  /** Keys from the root. A list index is a segment with its decimal text. */
  readonly segments: readonly string[]
}

export interface FieldPathProblem {
  readonly code: 'invalid_path' | 'unknown_function'
  readonly message: string
  readonly fix: string
  /** The UTF-16 offset at which parsing stopped. */
  readonly position: number
}

export type ParsedFieldPath =
  | { readonly ok: true; readonly path: FieldPath }
  | { readonly ok: false; readonly problem: FieldPathProblem }

const functionNames: ReadonlySet<string> = new Set<ComputedFunctionName>(['$count', '$length', '$keys', '$lines'])

const NAME_AN_ATTRIBUTE = 'name an attribute, for example `version`'

/**
 * Parses a field path. It accepts any value and never throws; a malformed path is returned as a problem (spec
 * compliance 3).
 */
export const parseFieldPath = (text: string): ParsedFieldPath => {
  const isText = typeof text === 'string'
  if (!isText || text === '') {
    return malformed(isText ? 'the field path is empty' : 'the field is not a text', NAME_AN_ATTRIBUTE, 0)
  }
  if (text.length > MAX_PATH_LENGTH) {
    return malformed(`the field path has ${text.length} characters`, `use at most ${MAX_PATH_LENGTH}`, MAX_PATH_LENGTH)
  }
  const calls: ComputedFunctionName[] = []
  let start = 0
  let end = text.length
  for (;;) {
    const call = /^(\$[^.[\]()]*)\(/.exec(text.slice(start, end))
    if (call === null) break
    const name = call[1] as string
    if (!functionNames.has(name)) {
      return refuse(
        'unknown_function',
        `\`${name}\` is not a computed function`,
        'use $count, $length, $keys or $lines',
        start,
      )
    }
    if (text[end - 1] !== ')') {
      return malformed(`\`${name}(\` is not closed at the end of the path`, 'end the path with `)`', end)
    }
    if (calls.length === MAX_CALL_DEPTH) {
      return malformed(
        `more than ${MAX_CALL_DEPTH} computed functions are nested`,
        `use at most ${MAX_CALL_DEPTH}`,
        start,
      )
    }
    calls.push(name as ComputedFunctionName)
    start += name.length + 1
    end -= 1
  }
  const segments: string[] = []
  const problem = readSegments(text.slice(0, end), start, segments)
  if (problem !== null) return { ok: false, problem }
  if (segments.length > MAX_PATH_SEGMENTS) {
    return malformed(`the field path has ${segments.length} segments`, `use at most ${MAX_PATH_SEGMENTS}`, end)
  }
  return { ok: true, path: { text, calls, segments } }
}

/** Two paths with the same key read the same value, even when they are written differently. */
export const fieldPathKey = (path: FieldPath): string => JSON.stringify([path.calls, path.segments])

const refuse = (
  code: FieldPathProblem['code'],
  message: string,
  fix: string,
  position: number,
): ParsedFieldPath & { ok: false } => ({ ok: false, problem: { code, message, fix, position } })

const malformed = (message: string, fix: string, position: number) => refuse('invalid_path', message, fix, position)

const readSegments = (text: string, start: number, into: string[]): FieldPathProblem | null => {
  let at = start
  let expectSegment = true
  while (at < text.length || expectSegment) {
    if (expectSegment) {
      const stop = plainEnd(text, at)
      if (stop === at) {
        return malformed('the field path has an empty segment', 'name a key between the dots', at).problem
      }
      into.push(text.slice(at, stop))
      at = stop
      expectSegment = false
    } else if (text[at] === '.') {
      at += 1
      expectSegment = true
    } else if (text[at] === '[') {
      const bracket = readBracket(text, at)
      if (typeof bracket === 'string') {
        return malformed(bracket, 'write `[0]` or `["key"]`', at).problem
      }
      into.push(bracket.segment)
      at = bracket.end
    } else {
      return malformed(
        `\`${text[at]}\` cannot stand here`,
        'quote keys with special characters: `labels["team.name"]`',
        at,
      ).problem
    }
  }
  return null
}

const plainEnd = (text: string, start: number): number => {
  let at = start
  while (at < text.length && !'.[]()'.includes(text[at] as string)) at += 1
  return at
}

const DIGITS_OR_KEY = 'brackets hold digits or a quoted key'
const NOT_CLOSED = 'the bracket is not closed'

/** Returns the segment and the offset after `]`, or what is wrong. */
const readBracket = (text: string, open: number): { segment: string; end: number } | string => {
  const quote = text[open + 1]
  if (quote === '"' || quote === "'") {
    let segment = ''
    for (let at = open + 2; at < text.length; at++) {
      const character = text[at] as string
      if (character === '\\') {
        at += 1
        segment += text[at]
      } else if (character === quote) {
        if (text[at + 1] !== ']') break
        return segment === '' ? DIGITS_OR_KEY : { segment, end: at + 2 }
      } else segment += character
    }
    return NOT_CLOSED
  }
  let at = open + 1
  while (/\d/.test(text.charAt(at))) at += 1
  if (at === open + 1) return DIGITS_OR_KEY
  if (text[at] !== ']') return NOT_CLOSED
  return { segment: text.slice(open + 1, at), end: at + 1 }
}
