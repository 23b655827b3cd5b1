/** `plumbline serve` */
import { type CommandRun, ExitCode } from '../command.js'
import { onHost } from './load-server.js'

export const run: CommandRun = (invocation, io) =>
  onHost(invocation, io, async ({ startServer, untilStopped }, { environment, options }) => {
    const { port, host, empty } = invocation.options
    // Database, keys and spools are for this user alone.
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
    // What was cut may hold the process open.
    return isClean ? ExitCode.clean : process.exit(ExitCode.findings)
  })
