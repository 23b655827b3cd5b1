/** `plumbline logout` */
import { type CommandRun, ExitCode } from '../command.js'
import { write } from '../program/write.js'
import { credentialsFile, readCredentials, removeCredentials } from './credentials.js'
import { openSession } from './session.js'

export const run: CommandRun = async (invocation, io) => {
  const { credentials, file } = readCredentials(io)
  if (file === null) {
    await write(io.stderr, 'the token is in PLUMBLINE_TOKEN: unset it, and `plumbline tokens revoke` ends it\n')
    return ExitCode.usage
  }
  // A personal access token outlives the log-out: other machines may hold it too.
  if (credentials.refreshToken !== undefined) {
    const { refreshToken } = credentials
    const { response } = await openSession(invocation, io).client.POST('/auth/logout', { body: { refreshToken } })
    if (!response.ok && response.status !== 401) {
      await write(io.stderr, `the server answered ${response.status}: the session may go on until it ends by itself\n`)
    }
  }
  removeCredentials(credentialsFile(io))
  await write(io.stderr, `signed out of ${credentials.url}\n`)
  return ExitCode.clean
}
