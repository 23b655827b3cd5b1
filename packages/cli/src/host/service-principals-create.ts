/** `plumbline service-principals create` */
import { type CommandRun, ExitCode, UsageError } from '../command.js'
import { argument, flag, texts } from '../program/invocation.js'
import { print } from '../remote/table.js'
import { onHost } from './load-server.js'

export const run: CommandRun = (invocation, io) => {
  if (!flag(invocation, 'system')) {
    throw new UsageError(
      'only service principals of the system are made on the host: give --system',
      'those of an organization: POST /api/organization/<id>/service-principals',
    )
  }
  return onHost(invocation, io, async (server, config) => {
    const made = await server.withHost(config, (host) =>
      server.createHostServicePrincipal(host, {
        name: argument(invocation, 0),
        scopes: texts(invocation, 'scope'),
        days: Number(invocation.options.days),
      }),
    )
    await print(invocation, io, made, [
      ['PLUMBLINE_SERVICE_CLIENT_ID', made.clientId],
      ['PLUMBLINE_SERVICE_CLIENT_SECRET', made.clientSecret],
      ['until', new Date(made.expiresAtMs).toISOString()],
    ])
    return ExitCode.clean
  })
}
