/** The passphrase of a backup: from the environment, else asked for. Null when the keys stay out. */
import type { Invocation, Io } from '../command.js'
import { ask } from '../remote/ask.js'

export async function passphrase(invocation: Invocation, io: Io): Promise<string | null> {
  if (invocation.options.keys === false) return null
  return io.env.PLUMBLINE_BACKUP_PASSPHRASE ?? ask(io, 'Passphrase of the keys in the backup: ', { secret: true })
}
