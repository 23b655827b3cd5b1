/** `plumbline sso enforce` */
import { unwrap } from '@plumbline/client'
import { type CommandRun, ExitCode } from '../command.js'
import { flag } from '../program/invocation.js'
import { showRecord } from '../records/show.js'
import { confirm } from '../remote/confirm.js'
import { openSession, telling } from '../remote/session.js'
import { confirming } from '../remote/step-up.js'
import { tenantOf } from '../remote/tenant.js'
import { printable } from '../report/reporter.js'

export const run: CommandRun = (invocation, io) =>
  telling(async () => {
    const session = openSession(invocation, io)
    const { id, slug } = await tenantOf(session)
    const enforced = !flag(invocation, 'off')
    const question = enforced
      ? `ask every member of ${printable(slug)} for the identity provider?`
      : `let members of ${printable(slug)} in without the identity provider?`
    await confirm(question, invocation, io)
    const { enforcement } = await confirming(session, io, (header) =>
      unwrap(
        session.client.PUT('/organization/{id}/idp/enforcement', {
          params: { path: { id }, header },
          body: { enforced },
        }),
      ),
    )
    await showRecord(invocation, io, enforcement)
    return ExitCode.clean
  })
