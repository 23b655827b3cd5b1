/** `plumbline sso links` */
import { unwrap } from '@plumbline/client'
import { type CommandRun, ExitCode, type Invocation, NotDoneError } from '../command.js'
import { argument } from '../program/invocation.js'
import { note } from '../program/note.js'
import { printable } from '../program/printable.js'
import { confirm } from '../remote/confirm.js'
import { openSession, telling } from '../remote/session.js'
import { confirming } from '../remote/step-up.js'
import { print } from '../remote/table.js'

const providerOf = (invocation: Invocation) => ({ provider: argument(invocation, 0) })

export const list: CommandRun = (invocation, io) =>
  telling(async () => {
    const { client } = openSession(invocation, io)
    const { links } = await unwrap(client.GET('/auth/me/links'))
    const rows = links.map(({ provider, email, lastUsedAt }) => [provider, email ?? '', `used ${lastUsedAt}`])
    await print(invocation, io, links, rows)
    return ExitCode.clean
  })

export const remove: CommandRun = (invocation, io) =>
  telling(async () => {
    const session = openSession(invocation, io)
    const path = providerOf(invocation)
    const { links } = await unwrap(session.client.GET('/auth/me/links'))
    if (links.every(({ provider }) => provider !== path.provider)) {
      throw new NotDoneError(
        `you have no account at \`${printable(path.provider)}\` linked`,
        '`plumbline sso links list` shows those that you have',
      )
    }
    await confirm(`unlink your account at ${printable(path.provider)}?`, invocation, io)
    await confirming(session, io, (header) =>
      unwrap(session.client.DELETE('/auth/me/links/{provider}', { params: { path, header } })),
    )
    await note(invocation, io, `unlinked ${printable(path.provider)}\n`)
    return ExitCode.clean
  })
