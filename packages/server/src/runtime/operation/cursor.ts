/**
 * The text of a cursor: a position in an ordered list. It grants nothing, so it is not signed; only its form is strict.
 */

export interface CursorPlace {
  readonly by: string
  readonly order: 'asc' | 'desc'
  /** The sort value and the id of the last row that was shown. */
  readonly value: string | number
  readonly id: string
  /** The number of rows before the position. */
  readonly offset: number
  /** The total, as it was counted. */
  readonly total: number
}

export function writeCursor({ by, order, value, id, offset, total }: CursorPlace): string {
  return Buffer.from(JSON.stringify([by, order, value, id, offset, total])).toString('base64url')
}

const ID_CHARS_MAX = 128

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0

/** Returns null for a text that is not a cursor of a list. */
export function readCursor(text: string): CursorPlace | null {
  let parts: unknown
  try {
    parts = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
  } catch {
    return null
  }
  if (!Array.isArray(parts) || parts.length !== 6) return null
  const [by, order, value, id, offset, total] = parts as unknown[]
  const isPlace =
    typeof by === 'string' &&
    (order === 'asc' || order === 'desc') &&
    Number.isSafeInteger(value) &&
    // A NUL is an error of PostgreSQL.
    typeof id === 'string' &&
    id.length <= ID_CHARS_MAX &&
    !id.includes('\0') &&
    isCount(offset) &&
    isCount(total)
  return isPlace ? { by, order, value: value as number, id, offset, total } : null
}
