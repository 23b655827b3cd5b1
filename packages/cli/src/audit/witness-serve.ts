/** `plumbline audit witness serve` */
import { resolve } from 'node:path'
import type { VerifierKey } from '@plumbline/audit-chain'
import { type CommandRun, ExitCode, UsageError } from '../command.js'
import { required, text, texts } from '../program/invocation.js'
import { readSigningKey, readVerifierKeys } from './keys.js'
import { printable } from './report-text.js'
import { createWitness } from './witness-server.js'
import { WitnessStore } from './witness-store.js'

export const run: CommandRun = async (invocation, io) => {
  const key = await readSigningKey(text(invocation, 'key'), '--key', io)
  if (key.type !== 'cosignature')
    throw new UsageError(
      'this is the key of a log, not of a witness',
      'make one with `plumbline audit keygen --witness`',
    )
  const logs = new Map<string, readonly VerifierKey[]>()
  for (const entry of texts(invocation, 'log')) {
    const split = entry.indexOf('=')
    if (split < 1)
      throw new UsageError(`\`${entry}\` is not a log to watch`, 'write --log audit.pub=audit.example.com/acme')
    logs.set(entry.slice(split + 1), await readVerifierKeys([entry.slice(0, split)], io))
  }
  if (logs.size === 0) throw new UsageError('--log is required', 'write --log audit.pub=audit.example.com/acme')
  const server = createWitness({
    key,
    logs,
    store: new WitnessStore(resolve(io.cwd, required(invocation, 'state'))),
    now: io.now,
    log: (line) => io.stderr.write(`${io.now().toISOString()} ${printable(line)}\n`),
  })
  await new Promise<void>((done, fail) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      fail(new UsageError(`the witness cannot listen (${error.code})`)),
    )
    server.listen(Number(invocation.options.port), required(invocation, 'host'), () => {
      const address = server.address()
      const where = typeof address === 'object' && address !== null ? `http://${address.address}:${address.port}` : ''
      io.stdout.write(`${key.name} listens on ${where}\n`)
    })
    const stop = () => {
      server.close(() => done())
      server.closeIdleConnections()
    }
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop)
  })
  return ExitCode.clean
}
