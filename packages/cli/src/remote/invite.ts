/** `plumbline invite` */
import { randomUUID } from 'node:crypto'
import { unwrap } from '@plumbline/client'
import { type CommandRun, ExitCode } from '../command.js'
import { argument, required } from '../program/invocation.js'
import { write } from '../program/write.js'
import { openSession, telling } from './session.js'
import { confirming } from './step-up.js'
import { print } from './table.js'

export const run: CommandRun = async (invocation, io) => {
  const session = openSession(invocation, io)
  const role = required(invocation, 'role') as 'admin' | 'member'
  const key = { 'idempotency-key': randomUUID() }
  const answer = await telling(() =>
    confirming(session, io, (confirmation) =>
      unwrap(
        session.client.POST('/invitation/send', {
          params: { header: { ...key, ...confirmation } },
          body: { email: argument(invocation, 0), role },
        }),
      ),
    ),
  )
  const { invitation, emailSent, acceptUrl } = answer
  await print(invocation, io, answer, [[invitation.email, invitation.role, `until ${invitation.expiresAt}`]])
  if (emailSent) await write(io.stderr, 'the link was sent by e-mail\n')
  else if (acceptUrl !== undefined) await write(io.stderr, `pass this link on, it is not shown again: ${acceptUrl}\n`)
  return ExitCode.clean
}
