/** The text of a cursor: a place in an ordered list. It grants nothing, so that it needs no signature, only a strict form. */

export interface CursorPlace {
  readonly by: string
  readonly order: 'asc' | 'desc'
  /** Sort value and id of the last row that was shown. */
  readonly value: string | number
  readonly id: string
  /** How many rows came before. */
  readonly offset: number
  /** The total as it was counted. */
  readonly total: number
}

export function writeCursor({ by, order, value, id, offset, total }: CursorPlace): string {
  return Buffer.from(JSON.stringify([by, order, value, id, offset, total])).toString('base64url')
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0

/** Null for a text that no list has written. */
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
    (typeof value === 'string' || Number.isSafeInteger(value)) &&
    typeof id === 'string' &&
    isCount(offset) &&
    isCount(total)
  return isPlace ? { by, order, value: value as string | number, id, offset, total } : null
}
