/** `plumbline sso test` */
import { unwrap } from '@plumbline/client'
import { type CommandRun, ExitCode } from '../command.js'
import { write } from '../program/write.js'
import { show } from '../remote/login-browser.js'
import { openSession, telling } from '../remote/session.js'
import { tenantOf } from '../remote/tenant.js'

export const run: CommandRun = (invocation, io) =>
  telling(async () => {
    const session = openSession(invocation, io)
    const { id } = await tenantOf(session)
    const { url } = await unwrap(session.client.POST('/organization/{id}/idp/test', { params: { path: { id } } }))
    await show(url, invocation, io)
    await write(
      io.stderr,
      'the page shows the claims, and what they would do; `plumbline sso status` shows that it worked\n',
    )
    return ExitCode.clean
  })
