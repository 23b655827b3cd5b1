/** The passphrase of a backup: from the environment, or from a prompt. */
import { type Invocation, type Io, UsageError } from '../command.js'
import { ask } from '../remote/ask.js'

const QUESTION = 'Passphrase of the backup: '

/** Null with `--no-keys`. */
export async function passphrase(invocation: Invocation, io: Io): Promise<string | null> {
  if (invocation.options.keys === false) return null
  return io.env.PLUMBLINE_BACKUP_PASSPHRASE ?? ask(io, QUESTION, { secret: true })
}

/** Null without a passphrase; an empty answer means none. `asks` is false if something else can prove the backup. */
export async function passphraseIfGiven(io: Io, { asks }: { readonly asks: boolean }): Promise<string | null> {
  const inEnvironment = io.env.PLUMBLINE_BACKUP_PASSPHRASE
  if (inEnvironment !== undefined || !asks) return inEnvironment ?? null
  const answer = await ask(io, QUESTION, { secret: true }).catch((error: unknown) => {
    if (error instanceof UsageError) return ''
    throw error
  })
  return answer === '' ? null : answer
}
