/** Sizes of JSON text in UTF-8 bytes, without an encoder: a pure package has no `TextEncoder`. */

/** The UTF-8 length of text that `JSON.stringify` returned and that therefore has no lone surrogates. */
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

/** The UTF-8 length of `JSON.stringify(text)`. When it exceeds `most`, any number above `most`. */
export const jsonBytes = (text: string, most: number): number =>
  text.length + 2 > most ? text.length + 2 : utf8Length(JSON.stringify(text))
