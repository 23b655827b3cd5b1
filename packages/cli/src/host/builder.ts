/** `plumbline builder` */
import { type CommandRun, ExitCode, type Invocation, type Io, NotDoneError, UsageError } from '../command.js'
import { flag, text, texts } from '../program/invocation.js'
import { write } from '../program/write.js'
import { apiOf, namedServer } from '../remote/credentials.js'
import { onHost, type Server } from './load-server.js'

export const run: CommandRun = (invocation, io) =>
  onHost(invocation, io, async (server) => {
    const lacks = await server.builderLacks()
    if (lacks.length > 0) {
      if (!flag(invocation, 'check')) await tell(server, invocation, io, lacks)
      throw new NotDoneError('this machine cannot build', undefined, lacks)
    }
    const unbounded = server.groupsLack()
    if (unbounded !== null && io.env.NODE_ENV === 'production' && !flag(invocation, 'withoutCgroups')) {
      throw new UsageError(
        'the total memory of a build cannot be limited on this machine',
        `${unbounded}; or accept it with --without-cgroups`,
      )
    }
    const scratch = text(invocation, 'scratch')
    const { diskMb, memoryMb, cpus, processes, imageMb } = invocation.options
    if (flag(invocation, 'check')) {
      const full = server.diskLack({ imageMb: Number(imageMb) }, scratch)
      const notes = [unbounded, full].filter((each) => each !== null)
      await write(io.stderr, `${['this machine can build', ...notes].join('; ')}\n`)
      return ExitCode.clean
    }
    const builder = builderOf(invocation, io)
    const stop = new AbortController()
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
    await server.runBuilder({
      ...{ ...builder, signal: stop.signal },
      limits: {
        diskMb: Number(diskMb),
        memoryMb: Number(memoryMb),
        cpus: Number(cpus),
        processes: Number(processes),
        imageMb: Number(imageMb),
      },
      baseRegistries: texts(invocation, 'baseRegistry'),
      ...(scratch === undefined ? {} : { scratch }),
      print: (line) => void io.stderr.write(`${line}\n`),
    })
    return ExitCode.clean
  })

/** The builder, and the server that it builds for. @throws UsageError */
function builderOf(invocation: Invocation, io: Io) {
  const named = namedServer(invocation, io)
  const clientId = io.env.PLUMBLINE_SERVICE_CLIENT_ID
  const clientSecret = io.env.PLUMBLINE_SERVICE_CLIENT_SECRET
  if (named === null) throw new UsageError('no server is named', 'give --url, or set PLUMBLINE_URL')
  if (clientId === undefined || clientSecret === undefined) {
    throw new UsageError(
      'PLUMBLINE_SERVICE_CLIENT_ID and PLUMBLINE_SERVICE_CLIENT_SECRET are not set',
      'run `plumbline service-principals create builder --system --scope builds:work` on the host of the server, and set the two that it prints',
    )
  }
  const name = text(invocation, 'name') ?? 'builder'
  if (!/^[A-Za-z0-9._-]{1,100}$/.test(name))
    throw new UsageError('--name has letters, digits, dots, underscores and hyphens')
  const egress = texts(invocation, 'egress')
  const wrong = egress.find((each) => !/^[a-z0-9.-]{1,253}:\d{1,5}$/.test(each))
  if (wrong !== undefined)
    throw new UsageError(`--egress ${wrong} is not a host with a port`, 'such as --egress deb.debian.org:80')
  const { url, basePath } = apiOf(named)
  const { concurrency } = invocation.options
  return { url: `${url}${basePath}`, clientId, clientSecret, name, egress, concurrency: Number(concurrency) }
}

/** The status of the queue says what the machine lacks, where the server can be told. */
async function tell(server: Server, invocation: Invocation, io: Io, lacks: readonly string[]): Promise<void> {
  try {
    const fault = { reason: 'machine', message: lacks.join('; ') } as const
    await server.tellFault(builderOf(invocation, io), fault)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
  }
}
