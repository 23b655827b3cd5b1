/** `plumbline logout` */
import { CommandError, type CommandRun, ExitCode, type Invocation, type Io } from '../command.js'
import { note } from '../program/note.js'
import { printable } from '../program/printable.js'
import { write } from '../program/write.js'
import { readCredentials, removeCredentials } from './credentials.js'
import { forgetNames } from './names-cache.js'
import { EndedSession, openSession } from './session.js'

export const run: CommandRun = async (invocation, io) => {
  const source = readCredentials(invocation, io)
  if (source.from !== 'file') {
    const name = source.from === 'token' ? 'PLUMBLINE_TOKEN' : 'PLUMBLINE_SERVICE_CLIENT_ID'
    await write(io.stderr, `the credential is in ${name}: unset it, and revoke it on the server\n`)
    return ExitCode.usage
  }
  const { url, refreshToken } = source.credentials
  // A personal access token stays valid after the sign-out, because other machines may use it.
  const fault = refreshToken === undefined ? null : await endSession(invocation, io, refreshToken)
  if (fault !== null) await write(io.stderr, `${fault}: the session may stay active until it expires\n`)
  removeCredentials(source.file, url)
  forgetNames(io)
  await note(invocation, io, `signed out of ${url}\n`)
  return ExitCode.clean
}

/**
 * Whatever the server answers, the credentials leave this machine. Returns why the session may still be active; null
 * when it has ended.
 */
async function endSession(invocation: Invocation, io: Io, refreshToken: string): Promise<string | null> {
  try {
    const { response } = await openSession(invocation, io).client.POST('/auth/logout', { body: { refreshToken } })
    return response.ok || response.status === 401 ? null : `the server answered ${response.status}`
  } catch (error) {
    if (error instanceof EndedSession) return null
    if (error instanceof CommandError) return printable(error.message)
    throw error
  }
}
