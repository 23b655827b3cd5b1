/** `plumbline secrets delete` */

import { type CommandRun, ExitCode } from '../../command.js'
import { flag } from '../../program/invocation.js'
import { printable } from '../../program/printable.js'
import { write } from '../../program/write.js'
import { confirm } from '../../remote/confirm.js'
import { openSession, telling } from '../../remote/session.js'
import { tenantOf } from '../../remote/tenant.js'
import { showRecord } from '../show.js'
import { typedAs } from '../typed.js'

export const run: CommandRun = (invocation, io) =>
  telling(
    async () => {
      const session = openSession(invocation, io)
      const name = String(invocation.arguments[0])
      await confirm(`delete secret ${printable(name)}?`, invocation, io)
      const { id } = await tenantOf(session)
      const path = `/organization/${encodeURIComponent(id)}/secrets/${encodeURIComponent(name)}`
      await session.send({ method: 'DELETE', path })
      if (invocation.options.format !== undefined) await showRecord(invocation, io, { name, deleted: true })
      else if (!flag(invocation, 'quiet')) await write(io.stderr, `deleted the secret ${printable(name)}\n`)
      return ExitCode.clean
    },
    typedAs({ 'path.name': '<name>' }),
  )
