/**
 * Base64, in its canonical form only: the padded standard alphabet for keys, the unpadded URL alphabet for tokens.
 *
 * INVARIANT: `decode(text)` is null or `encode(decode(text)) === text`, so each value has one spelling.
 */
const STANDARD = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const URL_SAFE = `${STANDARD.slice(0, 62)}-_`

export function encodeBase64Url(bytes: Uint8Array): string {
  return encode(bytes, URL_SAFE)
}

export function decodeBase64Url(text: string): Uint8Array | null {
  return decode(text, URL_SAFE)
}

export function encodeBase64(bytes: Uint8Array): string {
  const text = encode(bytes, STANDARD)
  return text + '='.repeat((4 - (text.length % 4)) % 4)
}

export function decodeBase64(text: string): Uint8Array | null {
  if (text.length % 4 !== 0) return null
  const body = text.endsWith('==') ? text.slice(0, -2) : text.endsWith('=') ? text.slice(0, -1) : text
  const bytes = decode(body, STANDARD)
  // The padding must be exactly what the length requires.
  return bytes !== null && encodeBase64(bytes) === text ? bytes : null
}

function encode(bytes: Uint8Array, alphabet: string): string {
  let text = ''
  let held = 0
  let bits = 0
  for (const byte of bytes) {
    held = ((held << 8) | byte) & 0xffff
    bits += 8
    while (bits >= 6) {
      bits -= 6
      text += alphabet[(held >> bits) & 63]
    }
  }
  if (bits > 0) text += alphabet[(held << (6 - bits)) & 63]
  return text
}

function decode(text: string, alphabet: string): Uint8Array | null {
  if (text.length % 4 === 1) return null
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4))
  let held = 0
  let bits = 0
  let at = 0
  for (const character of text) {
    const value = alphabet.indexOf(character)
    if (value < 0) return null
    held = ((held << 6) | value) & 0xffff
    bits += 6
    if (bits >= 8) {
      bits -= 8
      bytes[at++] = (held >> bits) & 255
    }
  }
  // In the canonical form, the bits after the last byte are zero.
  return (held & ((1 << bits) - 1)) === 0 ? bytes : null
}
