/** Key files: one key a line; empty lines and lines that start with `#` are skipped. */
import { parseSigningKey, parseVerifierKey, type SigningKey, type VerifierKey } from '@plumbline/audit-chain'
import { nodeCrypto } from '@plumbline/audit-chain/node'
import { type Io, UsageError } from '../command.js'
import { readText } from './input.js'

export async function readVerifierKeys(paths: readonly string[], io: Io): Promise<VerifierKey[]> {
  const keys: VerifierKey[] = []
  for (const path of paths) {
    const lines = keyLines(await readText(path, io))
    if (lines.length === 0) throw new UsageError(`\`${path}\` holds no key`)
    for (const line of lines) {
      if (line.startsWith('PRIVATE+KEY')) {
        throw new UsageError(`\`${path}\` is a signing key, which stays secret`, `verification takes \`${path}.pub\``)
      }
      const key = parseVerifierKey(nodeCrypto, line)
      if (key === null)
        throw new UsageError(`\`${path}\` holds a line that is not a verifier key`, 'a key looks like name+id+base64')
      keys.push(key)
    }
  }
  return keys
}

export async function readSigningKey(path: string | undefined, option: string, io: Io): Promise<SigningKey> {
  if (path === undefined)
    throw new UsageError(`${option} is required`, 'make a key with `plumbline audit keygen audit.key`')
  const [line] = keyLines(await readText(path, io))
  const key = line === undefined ? null : parseSigningKey(nodeCrypto, line)
  if (key === null) throw new UsageError(`\`${path}\` is not a signing key`, 'make one with `plumbline audit keygen`')
  return key
}

const keyLines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
