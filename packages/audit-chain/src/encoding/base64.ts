/**
 * Base64 of RFC 4648 section 4, as signed notes and proofs use it.
 *
 * INVARIANT: decoding accepts only canonical text (padding present, unused bits zero), so that each value has one text.
 */
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const VALUE = new Map(Array.from(ALPHABET, (character, value) => [character, value] as const))

export function toBase64(bytes: Uint8Array): string {
  let text = ''
  for (let index = 0; index < bytes.length; index += 3) {
    const left = bytes.length - index
    const group = ((bytes[index] ?? 0) << 16) | ((bytes[index + 1] ?? 0) << 8) | (bytes[index + 2] ?? 0)
    text += ALPHABET.charAt(group >> 18) + ALPHABET.charAt((group >> 12) & 63)
    text += left > 1 ? ALPHABET.charAt((group >> 6) & 63) : '='
    text += left > 2 ? ALPHABET.charAt(group & 63) : '='
  }
  return text
}

/** Returns the bytes of a base64 text, or null when it is not canonical base64. */
export function fromBase64(text: string): Uint8Array | null {
  if (text.length % 4 !== 0) return null
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  const length = (text.length / 4) * 3 - padding
  const bytes = new Uint8Array(length)
  for (let index = 0, at = 0; index < text.length; index += 4, at += 3) {
    let group = 0
    for (let offset = 0; offset < 4; offset++) {
      const position = index + offset
      const value = position >= text.length - padding ? 0 : VALUE.get(text.charAt(position))
      if (value === undefined) return null
      group = (group << 6) | value
    }
    if (at < length) bytes[at] = group >> 16
    if (at + 1 < length) bytes[at + 1] = (group >> 8) & 255
    if (at + 2 < length) bytes[at + 2] = group & 255
  }
  return toBase64(bytes) === text ? bytes : null
}
