/** `plumbline logout` */
import { type CommandRun, ExitCode } from '../command.js'
import { write } from '../program/write.js'
import { readCredentials, removeCredentials } from './credentials.js'
import { forgetNames } from './names-cache.js'
import { openSession } from './session.js'

export const run: CommandRun = async (invocation, io) => {
  const source = readCredentials(invocation, io)
  if (source.from !== 'file') {
    const name = source.from === 'token' ? 'PLUMBLINE_TOKEN' : 'PLUMBLINE_SERVICE_CLIENT_ID'
    await write(io.stderr, `the credential is in ${name}: unset it, and revoke it on the server\n`)
    return ExitCode.usage
  }
  const { url, refreshToken } = source.credentials
  // A personal access token stays valid after the sign-out, because other machines may use it.
  if (refreshToken !== undefined) {
    const { response } = await openSession(invocation, io).client.POST('/auth/logout', { body: { refreshToken } })
    if (!response.ok && response.status !== 401) {
      await write(io.stderr, `the server answered ${response.status}: the session may stay active until it expires\n`)
    }
  }
  removeCredentials(source.file, url)
  forgetNames(io)
  await write(io.stderr, `signed out of ${url}\n`)
  return ExitCode.clean
}
