/** Encodes UTF-8 without `TextEncoder`, which is not part of the language itself. Lone surrogates become U+FFFD. */
export function encodeUtf8(text: string): Uint8Array {
  const bytes: number[] = []
  for (const character of text) {
    let point = character.codePointAt(0) ?? 0xfffd
    if (point >= 0xd800 && point <= 0xdfff) point = 0xfffd
    if (point < 0x80) bytes.push(point)
    else if (point < 0x800) bytes.push(0xc0 | (point >> 6), 0x80 | (point & 63))
    else if (point < 0x10000) bytes.push(0xe0 | (point >> 12), 0x80 | ((point >> 6) & 63), 0x80 | (point & 63))
    else {
      bytes.push(0xf0 | (point >> 18), 0x80 | ((point >> 12) & 63), 0x80 | ((point >> 6) & 63), 0x80 | (point & 63))
    }
  }
  return Uint8Array.from(bytes)
}

/** Returns the text of well-formed UTF-8, or null. Overlong forms, surrogates and stray bytes are refused. */
export function decodeUtf8(bytes: Uint8Array): string | null {
  let text = ''
  for (let at = 0; at < bytes.length; ) {
    const first = bytes[at++] ?? 0
    const extra = first < 0x80 ? 0 : first >= 0xc2 && first < 0xe0 ? 1 : first < 0xe0 ? -1 : first < 0xf0 ? 2 : 3
    if (extra < 0 || first > 0xf4) return null
    let point = extra === 0 ? first : first & (0x3f >> extra)
    for (let index = 0; index < extra; index++) {
      const next = bytes[at++]
      if (next === undefined || (next & 0xc0) !== 0x80) return null
      point = (point << 6) | (next & 63)
    }
    if (extra === 2 && (point < 0x800 || (point >= 0xd800 && point <= 0xdfff))) return null
    if (extra === 3 && (point < 0x10000 || point > 0x10ffff)) return null
    text += String.fromCodePoint(point)
  }
  return text
}
