/** Reads the text of a file or of standard input, with a name for messages. */
import { resolve } from 'node:path'
import { type Io, UsageError } from '../command.js'
import { diskTree } from '../input/file-tree.js'
import { decodeText, refuseSize, UnreadableError } from '../input/read-bytes.js'

export interface Source {
  /** The name as shown to people. */
  readonly file: string
  readonly text: string
}

/** `-` is standard input. @throws UsageError when it cannot be read. */
export async function readSource(name: string, io: Io): Promise<Source> {
  try {
    if (name !== '-') return { file: name, text: await diskTree.readText(resolve(io.cwd, name)) }
    return { file: 'standard input', text: await readAll(io) }
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error
    throw new UsageError(`\`${name}\`: ${error.message}`, error.fix)
  }
}

const STDIN_BYTES_MAX = 16 * 1024 * 1024

async function readAll({ stdin }: Io): Promise<string> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of stdin) {
    parts.push(Buffer.from(part))
    bytes += part.length
    refuseSize(bytes, STDIN_BYTES_MAX)
  }
  return decodeText(Buffer.concat(parts))
}
