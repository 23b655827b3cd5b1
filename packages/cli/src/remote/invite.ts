/** `plumbline invite` */
import { randomUUID } from 'node:crypto'
import { unwrap } from '@plumbline/client'
import { argument, required } from '../audit/options.js'
import { type CommandRun, ExitCode } from '../command.js'
import { write } from '../program/write.js'
import { openSession, telling } from './session.js'
import { print } from './table.js'

export const run: CommandRun = async (invocation, io) => {
  const { client } = openSession(invocation, io)
  const role = required(invocation, 'role') as 'admin' | 'member'
  const answer = await telling(() =>
    unwrap(
      client.POST('/invitation/send', {
        params: { header: { 'idempotency-key': randomUUID() } },
        body: { email: argument(invocation, 0), role },
      }),
    ),
  )
  const { invitation, emailSent, acceptUrl } = answer
  await print(invocation, io, answer, [[invitation.email, invitation.role, `until ${invitation.expiresAt}`]])
  if (emailSent) await write(io.stderr, 'the link was sent by e-mail\n')
  else if (acceptUrl !== undefined) await write(io.stderr, `pass this link on, it is not shown again: ${acceptUrl}\n`)
  return ExitCode.clean
}
