/**
 * Lower-case hexadecimal, the text form of every hash and salt in a record.
 *
 * INVARIANT: upper-case digits are refused, so that each value has one text.
 */
const DIGITS = '0123456789abcdef'
const BYTE_TEXT = Array.from({ length: 256 }, (_, byte) => DIGITS.charAt(byte >> 4) + DIGITS.charAt(byte & 15))

/** The value of a character code as a hexadecimal digit; 255 when it is not a digit. */
const DIGIT_VALUE = new Uint8Array(128).fill(255)
for (let value = 0; value < 16; value++) DIGIT_VALUE[DIGITS.charCodeAt(value)] = value

const HASH = /^[0-9a-f]{64}$/

/** True for the text of a SHA-256 hash: 64 lower-case hexadecimal digits. */
export function isHash(text: unknown): text is string {
  return typeof text === 'string' && HASH.test(text)
}

export function toHex(bytes: Uint8Array, start = 0, end = bytes.length): string {
  let text = ''
  for (let index = start; index < end; index++) text += BYTE_TEXT[bytes[index] ?? 0]
  return text
}

/**
 * Writes the bytes of `text` into `target`. Returns false when `text` is not hexadecimal; the target is then partly
 * written.
 */
export function writeHex(text: string, target: Uint8Array, offset: number): boolean {
  const length = text.length
  if (length % 2 !== 0) return false
  let bad = 0
  for (let index = 0; index < length; index += 2) {
    const high = text.charCodeAt(index)
    const low = text.charCodeAt(index + 1)
    if (high > 127 || low > 127) return false
    const highValue = DIGIT_VALUE[high] ?? 255
    const lowValue = DIGIT_VALUE[low] ?? 255
    bad |= highValue | lowValue
    target[offset + (index >> 1)] = (highValue << 4) | lowValue
  }
  return bad < 16
}

/** Returns the bytes of a hexadecimal text, or null when it is not hexadecimal. */
export function fromHex(text: string): Uint8Array | null {
  const bytes = new Uint8Array(text.length >> 1)
  return writeHex(text, bytes, 0) ? bytes : null
}
