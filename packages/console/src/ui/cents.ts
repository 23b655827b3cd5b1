/**
 * Reads a typed amount as cents. The digits are joined and never multiplied, so that money is never a float.
 *
 * @returns null for text that is not an amount from 0 to 99,999,999.99
 */
export function centsOf(text: string): number | null {
  const found = /^(\d{1,8})(?:[.,](\d{1,2}))?$/.exec(text.trim())
  if (found === null) return null
  return Number(`${found[1]}${(found[2] ?? '').padEnd(2, '0')}`)
}
