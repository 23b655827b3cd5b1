/**
 * The grammar of `field` (compliance decisions 3).
 *
 * `path = segment (("." segment) | bracket)*`, `bracket = "[" digits "]"` or a quoted text with `\` escapes,
 * `call = "$" fn "(" (path | call) ")"`. INVARIANT: a parsed path has 1 to 20 segments, none empty, and at most 3 calls.
 */
import type { ComputedFunctionName } from '../types.js'

export const MAX_PATH_LENGTH = 100
export const MAX_PATH_SEGMENTS = 20
export const MAX_CALL_DEPTH = 3

export interface FieldPath {
  /** As written. */
  readonly text: string
  /** Computed functions, the outermost first. */
  readonly calls: readonly ComputedFunctionName[]
  /** Keys from the root; an index is its decimal text. */
  readonly segments: readonly string[]
}

export interface FieldPathProblem {
  readonly code: 'invalid_path' | 'unknown_function'
  readonly message: string
  readonly fix: string
  /** UTF-16 offset at which reading stopped. */
  readonly position: number
}

export type ParsedFieldPath =
  | { readonly ok: true; readonly path: FieldPath }
  | { readonly ok: false; readonly problem: FieldPathProblem }

const functionNames: ReadonlySet<string> = new Set<ComputedFunctionName>(['$count', '$length', '$keys', '$lines'])

/** Never throws: a malformed path comes back as a problem. */
export const parseFieldPath = (text: string): ParsedFieldPath => {
  if (typeof text !== 'string' || text === '') {
    return malformed('the field path is empty', 'name an attribute, for example `version`', 0)
  }
  if (text.length > MAX_PATH_LENGTH) {
    return malformed(
      `the field path has ${text.length} characters, ${MAX_PATH_LENGTH} are allowed`,
      'shorten the path',
      MAX_PATH_LENGTH,
    )
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
      return malformed(`more than ${MAX_CALL_DEPTH} computed functions are nested`, 'nest fewer functions', start)
    }
    calls.push(name as ComputedFunctionName)
    start += name.length + 1
    end -= 1
  }
  const segments: string[] = []
  const problem = readSegments(text, start, end, segments)
  if (problem !== null) return { ok: false, problem }
  if (segments.length > MAX_PATH_SEGMENTS) {
    return malformed(
      `the field path has ${segments.length} segments, ${MAX_PATH_SEGMENTS} are allowed`,
      'read a value nearer to the root',
      end,
    )
  }
  return { ok: true, path: { text, calls, segments } }
}

/** Two paths with the same key read the same value, however they are written. */
export const fieldPathKey = (path: FieldPath): string => JSON.stringify([path.calls, path.segments])

const refuse = (
  code: FieldPathProblem['code'],
  message: string,
  fix: string,
  position: number,
): ParsedFieldPath & { ok: false } => ({ ok: false, problem: { code, message, fix, position } })

const malformed = (message: string, fix: string, position: number) => refuse('invalid_path', message, fix, position)

const readSegments = (text: string, start: number, end: number, into: string[]): FieldPathProblem | null => {
  let at = start
  let expectSegment = true
  while (at < end || expectSegment) {
    if (expectSegment) {
      const stop = plainEnd(text, at, end)
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
      const bracket = readBracket(text, at, end)
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

const plainEnd = (text: string, start: number, end: number): number => {
  let at = start
  while (at < end && !'.[]()'.includes(text[at] as string)) at += 1
  return at
}

/** The segment and the offset behind `]`, or what is wrong. */
const readBracket = (text: string, open: number, end: number): { segment: string; end: number } | string => {
  const quote = text[open + 1]
  if (quote === '"' || quote === "'") {
    let segment = ''
    for (let at = open + 2; at < end; at++) {
      const character = text[at] as string
      if (character === '\\') {
        at += 1
        if (at >= end) break
        segment += text[at]
      } else if (character === quote) {
        if (text[at + 1] !== ']' || at + 1 >= end) return 'a quoted key must be followed by `]`'
        return segment === '' ? 'the quoted key is empty' : { segment, end: at + 2 }
      } else segment += character
    }
    return 'the quoted key is not closed'
  }
  let at = open + 1
  while (at < end && /\d/.test(text[at] as string)) at += 1
  if (at === open + 1) return 'brackets hold digits or a quoted key'
  if (at >= end || text[at] !== ']') return 'the bracket is not closed'
  return { segment: text.slice(open + 1, at), end: at + 1 }
}
