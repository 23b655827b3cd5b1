/** `plumbline members` */
import { unwrap } from '@plumbline/client'
import { type CommandRun, ExitCode } from '../command.js'
import { openSession, telling } from './session.js'
import { print } from './table.js'
import { tenantOf } from './tenant.js'

const PAGE = 1000

export const run: CommandRun = async (invocation, io) => {
  const session = openSession(invocation, io)
  const members = await telling(async () => {
    const { id } = await tenantOf(session)
    const all = []
    for (let offset = 0; ; offset += PAGE) {
      const page = await unwrap(
        session.client.GET('/organization/{id}/members', { params: { path: { id }, query: { limit: PAGE, offset } } }),
      )
      all.push(...page.members)
      if (!page.pagination.hasMore) return all
    }
  })
  await print(
    invocation,
    io,
    members,
    members.map((each) => [each.username, each.email, each.role, each.isActive ? 'active' : 'inactive']),
  )
  return ExitCode.clean
}
