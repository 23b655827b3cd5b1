/** `plumbline builder` */
import { type CommandRun, ExitCode, NotDoneError, UsageError } from '../command.js'
import { flag, text, texts } from '../program/invocation.js'
import { write } from '../program/write.js'
import { onHost } from './load-server.js'

export const run: CommandRun = (invocation, io) =>
  onHost(invocation, io, async (server) => {
    const lacks = await server.builderLacks()
    if (lacks.length > 0) throw new NotDoneError('this machine cannot build', undefined, lacks)
    if (flag(invocation, 'check')) {
      await write(io.stderr, 'this machine can build\n')
      return ExitCode.clean
    }
    if (io.env.NODE_ENV === 'production' && !flag(invocation, 'withoutCgroups')) {
      throw new UsageError('the memory of a build is not bounded as a whole here', 'accept it with --without-cgroups')
    }
    const url = text(invocation, 'url') ?? io.env.PLUMBLINE_URL
    const clientId = io.env.PLUMBLINE_SERVICE_CLIENT_ID
    const clientSecret = io.env.PLUMBLINE_SERVICE_CLIENT_SECRET
    if (url === undefined) throw new UsageError('no server is named', 'give --url, or set PLUMBLINE_URL')
    if (clientId === undefined || clientSecret === undefined) {
      throw new UsageError(
        'PLUMBLINE_SERVICE_CLIENT_ID and PLUMBLINE_SERVICE_CLIENT_SECRET are not set',
        'make them on the host of the server: `plumbline service-principals create builder --system --scope builds:work`',
      )
    }
    const name = text(invocation, 'name') ?? 'builder'
    if (!/^[A-Za-z0-9._-]{1,100}$/.test(name))
      throw new UsageError('--name has letters, digits, dots, underscores and hyphens')
    const stop = new AbortController()
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
    const scratch = text(invocation, 'scratch')
    const { diskMb, memoryMb, processes, imageMb } = invocation.options
    await server.runBuilder({
      ...{ url, clientId, clientSecret, name, signal: stop.signal },
      limits: {
        diskMb: Number(diskMb),
        memoryMb: Number(memoryMb),
        processes: Number(processes),
        imageMb: Number(imageMb),
      },
      baseRegistries: texts(invocation, 'baseRegistry'),
      ...(scratch === undefined ? {} : { scratch }),
      print: (line) => void io.stderr.write(`${line}\n`),
    })
    return ExitCode.clean
  })
