/** Reads the text of a file or of standard input, with a name for messages. */
import { resolve } from 'node:path'
import { type Io, UsageError } from '../command.js'
import { decodeText, readFileText, readStream, UnreadableError } from './read-bytes.js'

export interface Source {
  /** The name as shown to people. */
  readonly file: string
  readonly text: string
}

/** `-` is standard input. @throws UsageError when it cannot be read, or has more than `bytesMax` bytes. */
export async function readSource(name: string, io: Io, bytesMax?: number): Promise<Source> {
  try {
    if (name !== '-') return { file: name, text: readFileText(resolve(io.cwd, name), bytesMax) }
    return { file: 'standard input', text: decodeText(await readStream(io.stdin, bytesMax)) }
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error
    throw new UsageError(`\`${name}\`: ${error.message}`, error.fix)
  }
}
