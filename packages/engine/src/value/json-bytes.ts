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
export const jsonBytes = (text: string, most: number): number =>
  text.length + 2 > most ? text.length + 2 : utf8Length(JSON.stringify(text))
