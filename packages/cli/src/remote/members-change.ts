/** `plumbline members remove`, `deactivate` and `reactivate` */
import { unwrap } from '@plumbline/client'
import { type CommandRun, ExitCode, type Invocation, type Io } from '../command.js'
import { argument, text } from '../program/invocation.js'
import { note } from '../program/note.js'
import { printable } from '../program/printable.js'
import { confirm } from './confirm.js'
import { memberNamed } from './member.js'
import { openSession, type Session, telling } from './session.js'
import { confirming } from './step-up.js'
import { print } from './table.js'
import { tenantOf } from './tenant.js'

interface Asked {
  readonly session: Session
  readonly id: string
  readonly userId: string
  readonly name: string
}

const change =
  (act: (asked: Asked, invocation: Invocation, io: Io) => Promise<void>): CommandRun =>
  (invocation, io) =>
    telling(async () => {
      const session = openSession(invocation, io)
      const { id } = await tenantOf(session)
      const member = await memberNamed(session, id, argument(invocation, 0))
      await act({ session, id, userId: member.id, name: member.name }, invocation, io)
      return ExitCode.clean
    })

/** The id of the member that an option names. */
async function optional({ session, id }: Asked, invocation: Invocation, option: string): Promise<string | undefined> {
  const named = text(invocation, option)
  return named === undefined ? undefined : (await memberNamed(session, id, named)).id
}

export const remove = change(async (asked, invocation, io) => {
  const { session, id, userId, name } = asked
  const teamsTo = await optional(asked, invocation, 'teamsTo')
  const reassignTo = await optional(asked, invocation, 'recordsTo')
  await confirm(`remove member ${printable(name)}?`, invocation, io)
  const query = { ...(teamsTo === undefined ? {} : { teamsTo }), ...(reassignTo === undefined ? {} : { reassignTo }) }
  await confirming(session, io, (header) =>
    unwrap(
      session.client.DELETE('/organization/{id}/members/{userId}', {
        params: { path: { id, userId }, query, header },
      }),
    ),
  )
  await note(invocation, io, `removed ${printable(name)}\n`)
})

export const deactivate = change(async (asked, invocation, io) => {
  const { session, id, userId, name } = asked
  const teamsTo = await optional(asked, invocation, 'teamsTo')
  await confirm(`deactivate member ${printable(name)}?`, invocation, io)
  const query = teamsTo === undefined ? {} : { teamsTo }
  const { member } = await confirming(session, io, (header) =>
    unwrap(
      session.client.PATCH('/organization/{id}/members/{userId}/deactivate', {
        params: { path: { id, userId }, query, header },
      }),
    ),
  )
  await shown(member, invocation, io)
})

export const reactivate = change(async ({ session, id, userId }, invocation, io) => {
  const path = '/organization/{id}/members/{userId}/activate'
  const { member } = await confirming(session, io, (header) =>
    unwrap(session.client.PATCH(path, { params: { path: { id, userId }, header } })),
  )
  await shown(member, invocation, io)
})

const shown = (
  member: { readonly username: string; readonly email: string; readonly role: string; readonly isActive: boolean },
  invocation: Invocation,
  io: Io,
) =>
  print(invocation, io, member, [[member.username, member.email, member.role, member.isActive ? 'active' : 'inactive']])
