/** `plumbline serve` */
import { type CommandRun, ExitCode } from '../command.js'
import { onHost } from './load-server.js'

export const run: CommandRun = (invocation, io) =>
  onHost(invocation, io, async ({ startServer }, { environment, options }) => {
    const { port, host, empty } = invocation.options
    // Database, keys and spools are for this user alone.
    process.umask(0o077)
    const server = await startServer({
      environment,
      options: {
        ...options,
        ...(typeof port === 'number' ? { PORT: String(port) } : {}),
        ...(typeof host === 'string' ? { HOST: host } : {}),
        ...(empty === true ? { PLUMBLINE_DEMO: 'false' } : {}),
      },
    })
    return new Promise<number>((resolve) => {
      let signals = 0
      for (const signal of ['SIGTERM', 'SIGINT'] as const) {
        process.on(signal, () => {
          signals += 1
          if (signals > 2) process.exit(ExitCode.findings)
          // The first drains, the second cuts what is left, and that may hold the process open.
          void server.stop().then((clean) => (clean ? resolve(ExitCode.clean) : process.exit(ExitCode.findings)))
        })
      }
    })
  })
