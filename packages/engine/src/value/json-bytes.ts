/** Sizes of JSON text in UTF-8, without an encoder: pure packages have none. */

/** Length in UTF-8 of text that `JSON.stringify` made, which has no lone surrogates. */
export const utf8Length = (text: string): number => {
  let bytes = 0
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit < 0x80) bytes += 1
    else if (unit < 0x800) bytes += 2
    else if (unit >= 0xd800 && unit < 0xdc00) {
      bytes += 4
      index++
    } else bytes += 3
  }
  return bytes
}

/** Length in UTF-8 of `JSON.stringify(text)`, or something above `most` once it is. */
export const jsonBytes = (text: string, most: number): number => {
  let bytes = text.length + 2
  for (let index = 0; index < text.length && bytes <= most; index++) {
    const unit = text.charCodeAt(index)
    if (unit > 0x7f) {
      if (isPair(text, index)) {
        bytes += 2
        index++
      } else bytes += unit < 0x800 ? 1 : isSurrogate(unit) ? ESCAPED - 1 : 2
    } else if (unit < 0x20) bytes += isShortEscape(unit) ? 1 : ESCAPED - 1
    else if (unit === 0x22 || unit === 0x5c) bytes += 1
  }
  return bytes
}

/** `\u001f` */
const ESCAPED = 6

/** `\b \t \n \f \r` */
const isShortEscape = (unit: number): boolean => unit >= 0x08 && unit <= 0x0d && unit !== 0x0b

const isSurrogate = (unit: number): boolean => unit >= 0xd800 && unit < 0xe000

const isPair = (text: string, index: number): boolean => {
  const unit = text.charCodeAt(index)
  if (unit < 0xd800 || unit >= 0xdc00) return false
  const next = text.charCodeAt(index + 1)
  return next >= 0xdc00 && next < 0xe000
}
