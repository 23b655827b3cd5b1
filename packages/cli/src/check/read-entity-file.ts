/**
 * Reads a file of entities and parses its documents. Reading is synchronous, because that is several times faster for
 * many small files.
 */
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs'
import { type ParsedText, parseText } from '../input/parse-text.js'
import { decodeText, refuseSize, UnreadableError } from '../input/read-bytes.js'
import { unreadable } from '../input/read-documents.js'

export function readEntityFile(path: string, file: string, bytesMax: number): ParsedText {
  try {
    return parseText(file, decodeText(readBytes(path, bytesMax)))
  } catch (error) {
    return unreadable(file, error)
  }
}

function readBytes(path: string, bytesMax: number): Uint8Array {
  try {
    const handle = openSync(path, 'r')
    try {
      refuseSize(fstatSync(handle).size, bytesMax)
      return readFileSync(handle)
    } finally {
      closeSync(handle)
    }
  } catch (error) {
    if (error instanceof UnreadableError) throw error
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    throw new UnreadableError(`the file cannot be read (${code})`, 'check that it exists and its permissions')
  }
}
