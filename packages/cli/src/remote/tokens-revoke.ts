/** `plumbline tokens revoke` */
import { unwrap } from '@plumbline/client'
import { type CommandRun, ExitCode } from '../command.js'
import { argument } from '../program/invocation.js'
import { note } from '../program/note.js'
import { openSession, telling } from './session.js'

export const run: CommandRun = async (invocation, io) => {
  const { client } = openSession(invocation, io)
  await telling(() => unwrap(client.DELETE('/auth/pats/{id}', { params: { path: { id: argument(invocation, 0) } } })))
  await note(invocation, io, 'revoked\n')
  return ExitCode.clean
}
