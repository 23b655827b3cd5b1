/** `plumbline sso refusals` */
import { unwrap } from '@plumbline/client'
import { type CommandRun, ExitCode } from '../command.js'
import { openSession, telling } from '../remote/session.js'
import { print } from '../remote/table.js'

export const run: CommandRun = (invocation, io) =>
  telling(async () => {
    const { client } = openSession(invocation, io)
    const limit = Number(invocation.options['limit'])
    const { events } = await unwrap(
      client.GET('/audit', { params: { query: { action: 'identity.sso.refused', limit } } }),
    )
    const rows = events.map(({ createdAt, details, requestId }) => {
      const { reason } = (details ?? {}) as { reason?: unknown }
      return [createdAt, String(reason ?? ''), requestId ?? '']
    })
    await print(invocation, io, events, rows)
    return ExitCode.clean
  })
