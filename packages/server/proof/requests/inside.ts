/**
 * Finds in an answer what a client must never see: lines of a stack, places in the sources, statements, drivers. What the
 * request itself said may come back in its answer and is nobody's inside.
 */
import type { ProofRequest } from './request.js'

/**
 * Each as small as can be, so that what is found is compared with the request alone and not with what stands beside it. A
 * line of a stack names a place: a path, an address or `<anonymous>`, a line and a column; `at 12:30:15` is a time.
 */
const INSIDE =
  /node_modules|\bat (?:async )?(?:[\w.$#<>[\] ]{1,200}\()?(?:file:|node:|[A-Za-z]:\\|\.{0,2}\/|<anonymous>)[^\s"()]*:\d+:\d+|[\w-]\.[cm]?[jt]s:\d+|SQLITE_|SqliteError|DrizzleQueryError|INSERT INTO |SELECT .+? FROM /g

/** @returns what stands in the answer and the request did not say. */
export function insideOf(text: string, request: ProofRequest): string[] {
  const found = (stringsOf(text) ?? [text]).flatMap((each) => each.match(INSIDE) ?? [])
  if (found.length === 0) return []
  const said = saidBy(request)
  return [...new Set(found)].filter((match) => !said.some((each) => each.includes(match)))
}

/** The request in each form in which the server may have read it. */
function saidBy({ target, headers, body = '' }: ProofRequest): string[] {
  const [path = '', query = ''] = target.split('?', 2)
  return [
    target,
    decoded(path),
    ...[...new URLSearchParams(query)].flat(),
    ...Object.entries(headers).flat(),
    body,
    ...(stringsOf(body) ?? []),
  ]
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Every string of a JSON text, names of members too; null for a text that is not JSON. */
function stringsOf(text: string): string[] | null {
  const strings: string[] = []
  const walk: unknown[] = []
  try {
    walk.push(JSON.parse(text))
  } catch {
    return null
  }
  while (walk.length > 0) {
    const value = walk.pop()
    if (typeof value === 'string') strings.push(value)
    else if (typeof value === 'object' && value !== null) {
      strings.push(...Object.keys(value))
      for (const each of Object.values(value)) walk.push(each)
    }
  }
  return strings
}
