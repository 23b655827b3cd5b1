/** `plumbline serve` */
import { type CommandRun, ExitCode } from '../command.js'
import { onHost } from './load-server.js'

export const run: CommandRun = (invocation, io) =>
  onHost(invocation, io, async ({ startServer, untilStopped }, { environment, options }) => {
    const { port, host, empty } = invocation.options
    // Only this user may read the database, keys and spools.
    process.umask(0o077)
    const isClean = await untilStopped(() =>
      startServer({
        environment,
        options: {
          ...options,
          ...(typeof port === 'number' ? { PORT: String(port) } : {}),
          ...(typeof host === 'string' ? { HOST: host } : {}),
          ...(empty === true ? { PLUMBLINE_DEMO: 'false' } : {}),
        },
      }),
    )
    // Requests or jobs that were cut may keep the process alive.
    return isClean ? ExitCode.clean : process.exit(ExitCode.findings)
  })
