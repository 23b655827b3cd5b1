/** `plumbline audit keygen` */
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { createSigningKey, formatSigningKey, formatVerifierKey, type SigningKey } from '@plumbline/audit-chain'
import { nodeCrypto } from '@plumbline/audit-chain/node'
import { type CommandRun, ExitCode, type Io, UsageError } from '../command.js'
import { argument, flag, required } from '../program/invocation.js'
import { write } from '../program/write.js'

export const run: CommandRun = async (invocation, io) => {
  const path = argument(invocation, 0)
  const key = makeKey(required(invocation, 'name'), flag(invocation, 'witness'))
  create(path, `${formatSigningKey(key)}\n`, 0o600, io)
  create(`${path}.pub`, `${formatVerifierKey(key)}\n`, 0o644, io)
  await write(io.stdout, `${formatVerifierKey(key)}\n`)
  await write(io.stderr, `wrote ${path} (keep it secret) and ${path}.pub (give it to anyone who verifies)\n`)
  return ExitCode.clean
}

function makeKey(name: string, isWitness: boolean): SigningKey {
  try {
    return createSigningKey(nodeCrypto, name, randomBytes(32), isWitness ? 'cosignature' : 'ed25519')
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

/** Never overwrites a key: nobody could continue the logs that the old key signed. */
function create(path: string, content: string, mode: number, io: Io): void {
  try {
    writeFileSync(resolve(io.cwd, path), content, { mode, flag: 'wx' })
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    throw new UsageError(code === 'EEXIST' ? `\`${path}\` exists already` : `\`${path}\` cannot be written (${code})`)
  }
}
