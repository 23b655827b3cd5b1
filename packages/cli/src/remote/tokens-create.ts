/** `plumbline tokens create` */
import { unwrap } from '@plumbline/client'
import { type CommandRun, ExitCode } from '../command.js'
import { argument, texts } from '../program/invocation.js'
import { note } from '../program/note.js'
import { printData } from '../program/print-data.js'
import { openSession, telling } from './session.js'
import { stepUp } from './step-up.js'

const DAY_SECONDS = 86_400

export const run: CommandRun = async (invocation, io) => {
  const session = openSession(invocation, io)
  const permissions = texts(invocation, 'permission')
  const answer = await telling(async () =>
    unwrap(
      session.client.POST('/auth/pats', {
        params: { header: { 'x-step-up-token': await stepUp(session, io) } },
        body: {
          name: argument(invocation, 0),
          expiresIn: Number(invocation.options.days) * DAY_SECONDS,
          ...(permissions.length === 0 ? {} : { permissions: [...permissions] as never[] }),
        },
      }),
    ),
  )
  // Only the token goes to standard output, so that it can be piped into a secret store.
  await printData(invocation, io, answer, () => `${answer.token}\n`)
  await note(invocation, io, `${answer.pat.name}, until ${answer.pat.expiresAt}; it is not shown again\n`)
  return ExitCode.clean
}
