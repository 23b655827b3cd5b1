/**
 * Reads a file of a tree into located documents. Everything that goes wrong is a diagnostic instead of an exception.
 */
import type { Io } from '../command.js'
import type { Diagnostic } from './diagnostic.js'
import type { FileTree } from './file-tree.js'
import { displayPath } from './find-files.js'
import { type ParsedText, parseText } from './parse-text.js'
import { decodeText, readStream, UnreadableError } from './read-bytes.js'

/** `path` is absolute; diagnostics and documents carry it relative to `cwd`. */
export async function readDocuments(tree: FileTree, path: string, cwd: string, bytesMax?: number): Promise<ParsedText> {
  const file = displayPath(cwd, path)
  try {
    return parseText(file, await tree.readText(path, bytesMax))
  } catch (error) {
    return unreadable(file, error)
  }
}

/** The documents of standard input; `name` is what messages call it. */
export async function readStdin({ stdin }: Io, name: string, bytesMax?: number): Promise<ParsedText> {
  try {
    return parseText(name, decodeText(await readStream(stdin, bytesMax)))
  } catch (error) {
    return unreadable(name, error)
  }
}

export function unreadable(file: string, error: unknown): ParsedText {
  if (!(error instanceof UnreadableError)) throw error
  const problem: Diagnostic = { file, message: error.message, fix: error.fix }
  return { documents: [], problems: [problem], warnings: [] }
}
