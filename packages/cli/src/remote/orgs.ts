/** `plumbline orgs` */
import { unwrap } from '@plumbline/client'
import { type CommandRun, ExitCode } from '../command.js'
import { openSession, telling } from './session.js'
import { print } from './table.js'

export const run: CommandRun = async (invocation, io) => {
  const { client } = openSession(invocation, io)
  const { memberships, organization } = await telling(() => unwrap(client.GET('/auth/me')))
  await print(
    invocation,
    io,
    memberships,
    memberships.map(({ slug, role, name, organizationId }) => [
      organizationId === organization?.id ? '*' : ' ',
      slug,
      role ?? '',
      name,
    ]),
  )
  return ExitCode.clean
}
