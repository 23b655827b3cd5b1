/**
 * UTF-8 without the platform's encoder, which may not exist on every platform.
 *
 * INVARIANT: a lone surrogate becomes U+FFFD, as in every platform encoder.
 */
export function toUtf8(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length * 3)
  let at = 0
  for (const character of text) {
    let point = character.codePointAt(0) ?? 0
    if (point >= 0xd800 && point <= 0xdfff) point = 0xfffd
    if (point < 0x80) {
      bytes[at++] = point
    } else if (point < 0x800) {
      bytes[at++] = 0xc0 | (point >> 6)
      bytes[at++] = 0x80 | (point & 63)
    } else if (point < 0x10000) {
      bytes[at++] = 0xe0 | (point >> 12)
      bytes[at++] = 0x80 | ((point >> 6) & 63)
      bytes[at++] = 0x80 | (point & 63)
    } else {
      bytes[at++] = 0xf0 | (point >> 18)
      bytes[at++] = 0x80 | ((point >> 12) & 63)
      bytes[at++] = 0x80 | ((point >> 6) & 63)
      bytes[at++] = 0x80 | (point & 63)
    }
  }
  return bytes.slice(0, at)
}

/** Returns the number of bytes of the text in UTF-8, without encoding it. */
export function utf8Length(text: string): number {
  let length = text.length
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit < 0x80) continue
    if (unit < 0x800) {
      length += 1
      continue
    }
    length += 2
    const isPair = unit >= 0xd800 && unit < 0xdc00 && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00
    if (isPair) index++
  }
  return length
}
