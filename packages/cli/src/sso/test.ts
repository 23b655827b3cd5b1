/** `plumbline sso test` */
import { unwrap } from '@plumbline/client'
import { ExitCode } from '../command.js'
import { note } from '../program/note.js'
import { inOrganization } from '../remote/in-organization.js'
import { show } from '../remote/login-browser.js'

export const run = inOrganization(async ({ invocation, io, session, id }) => {
  const { url } = await unwrap(session.client.POST('/organization/{id}/idp/test', { params: { path: { id } } }))
  await show(url, { io, opensBrowser: invocation.options['browser'] !== false })
  await note(
    invocation,
    io,
    'the page shows the claims and their effect; `plumbline sso status` shows whether it worked\n',
  )
  return ExitCode.clean
})
