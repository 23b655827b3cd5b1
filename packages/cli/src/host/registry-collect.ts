/** `plumbline registry collect` */
import { spawn } from 'node:child_process'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type CommandRun, ExitCode, type Io, NotDoneError, UsageError } from '../command.js'
import { argument, text } from '../program/invocation.js'
import { write } from '../program/write.js'
import { print } from '../remote/table.js'
import { onHost } from './load-server.js'

export const run: CommandRun = (invocation, io) =>
  onHost(invocation, io, async (server, config) => {
    const folder = resolve(io.cwd, argument(invocation, 0))
    const [readOnly, writable] = [commandOf(invocation, 'readOnly'), commandOf(invocation, 'writable')]
    const collected = await server.withHost(config, ({ runtime }) => {
      const collect = server.collectionCommand(runtime.settings, join(folder, 'registry.yml'))
      return server.collectRegistry(runtime, {
        setReadOnly: (isReadOnly) => shell(isReadOnly ? readOnly : writable, io),
        collect: () => shell(collect, io),
        wait: (ms) => sleep(ms),
        tell: (line) => void io.stderr.write(`${line}\n`),
      })
    })
    const { kept, lost } = collected
    await print(invocation, io, collected, [['kept', String(kept)], ...lost.map((each) => ['lost', each])])
    return lost.length === 0 ? ExitCode.clean : ExitCode.findings
  })

function commandOf(invocation: Parameters<CommandRun>[0], name: 'readOnly' | 'writable'): string {
  const command = text(invocation, name)
  if (command !== undefined) return command
  throw new UsageError(
    'the registry has to be restarted read-only, and writable again',
    'give both --read-only and --writable, such as --read-only "systemctl start plumbline-registry-read-only"',
  )
}

/** Sends the output of the command to standard error. @throws NotDoneError if the command fails. */
async function shell(command: string, io: Io): Promise<void> {
  // A registry takes every `REGISTRY_…` variable for one of its own settings.
  const env = Object.fromEntries(Object.entries(io.env).filter(([name]) => !name.startsWith('REGISTRY_')))
  const child = spawn('sh', ['-c', command], { stdio: ['ignore', 'pipe', 'pipe'], cwd: io.cwd, env })
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (some: Buffer) => void write(io.stderr, String(some)))
  const code = await new Promise<number | null>((done, fail) => {
    child.once('error', fail)
    child.once('close', done)
  })
  if (code !== 0) throw new NotDoneError(`\`${command}\` ended with ${code}`)
}
