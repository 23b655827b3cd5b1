/** Notes for a person beside the output. */
import type { Invocation, Io } from '../command.js'
import { flag } from './invocation.js'
import { write } from './write.js'

/** Writes to standard error, unless `--quiet` keeps it to errors. */
export async function note(invocation: Invocation, io: Io, text: string): Promise<void> {
  if (!flag(invocation, 'quiet')) await write(io.stderr, text)
}
