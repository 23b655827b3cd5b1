/** `plumbline sso enforce` */
import { unwrap } from '@plumbline/client'
import { ExitCode } from '../command.js'
import { flag } from '../program/invocation.js'
import { printable } from '../program/printable.js'
import { showRecord } from '../records/show.js'
import { confirm } from '../remote/confirm.js'
import { inOrganization } from '../remote/in-organization.js'
import { confirming } from '../remote/step-up.js'

export const run = inOrganization(async ({ invocation, io, session, id, slug }) => {
  const enforced = !flag(invocation, 'off')
  const question = enforced
    ? `require the identity provider for every member of ${printable(slug)}?`
    : `stop requiring the identity provider for members of ${printable(slug)}?`
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
