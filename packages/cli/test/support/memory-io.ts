/**
 * Runs the command line in this process with its whole environment in memory. This is fast and does not depend on the
 * settings of the machine.
 */
import { Readable, Writable } from 'node:stream'
import type { Io } from '../../src/command.js'
import { main } from '../../src/main.js'

export interface World {
  readonly cwd?: string
  readonly stdin?: string | Uint8Array
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly stdoutIsTty?: boolean
  readonly colour?: boolean
  readonly columns?: number
  readonly now?: Date
}

export interface Outcome {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs `plumbline` with these arguments. Returns its output and its exit code. */
export async function runCli(argv: readonly string[], world: World = {}): Promise<Outcome> {
  const stdout = collector()
  const stderr = collector()
  const code = await main(argv, memoryIo(world, stdout.stream, stderr.stream))
  return { code, stdout: stdout.text(), stderr: stderr.text() }
}

export function memoryIo(world: World, stdout: Writable, stderr: Writable): Io {
  return {
    stdin: Readable.from(world.stdin === undefined ? [] : [Buffer.from(world.stdin)]),
    stdout,
    stderr,
    cwd: world.cwd ?? process.cwd(),
    env: world.env ?? {},
    stdoutIsTty: world.stdoutIsTty ?? false,
    stderrIsTty: false,
    columns: world.columns ?? 80,
    colour: world.colour ?? false,
    now: () => world.now ?? new Date('2026-03-01T12:00:00.000Z'),
  }
}

export function collector(): { stream: Writable; text: () => string } {
  const chunks: Buffer[] = []
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(Buffer.from(chunk))
      done()
    },
  })
  return { stream, text: () => Buffer.concat(chunks).toString('utf8') }
}
