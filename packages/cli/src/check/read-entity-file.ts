/** Reads a file of entities and parses its documents, synchronously. */
import { type ParsedText, parseText } from '../input/parse-text.js'
import { readFileText } from '../input/read-bytes.js'
import { unreadable } from '../input/read-documents.js'

export function readEntityFile(path: string, file: string, bytesMax: number): ParsedText {
  try {
    return parseText(file, readFileText(path, bytesMax))
  } catch (error) {
    return unreadable(file, error)
  }
}
