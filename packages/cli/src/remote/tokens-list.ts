/** `plumbline tokens list` */
import { unwrap } from '@plumbline/client'
import { type CommandRun, ExitCode } from '../command.js'
import { openSession, telling } from './session.js'
import { print } from './table.js'

export const run: CommandRun = async (invocation, io) => {
  const { client } = openSession(invocation, io)
  const { pats } = await telling(() => unwrap(client.GET('/auth/pats')))
  await print(
    invocation,
    io,
    pats,
    pats.map(({ id, name, hint, expiresAt, lastUsedAt }) => [
      id,
      name,
      hint,
      `until ${expiresAt}`,
      lastUsedAt === null ? 'never used' : `used ${lastUsedAt}`,
    ]),
  )
  return ExitCode.clean
}
