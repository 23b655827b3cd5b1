/** Runs `plumbline plugins provenance`. */
import { type CommandRun, ExitCode, type Invocation, type Io, UsageError } from '../../command.js'
import { readSource } from '../../input/read-source.js'
import { flag } from '../../program/invocation.js'
import { printable } from '../../program/printable.js'
import { write } from '../../program/write.js'
import { openSession, telling } from '../../remote/session.js'
import { idOf } from '../keys.js'
import { plugins } from '../plugins.js'
import { fetchDocument, imageDigestOf, writeDocument } from './fetch.js'
import { type Keys, readKeys, verifyProvenance } from './verify.js'

export const run: CommandRun = (invocation, io) =>
  telling(async () => {
    const keys = await keysOf(invocation, io)
    const session = openSession(invocation, io)
    const id = await idOf(session, [plugins], String(invocation.arguments[0]))
    const digest = keys === null ? null : await imageDigestOf(invocation, session, id)
    const envelope = await fetchDocument(session, id, 'provenance')
    if (keys === null || digest === null) {
      await writeDocument(invocation, io, envelope)
      return ExitCode.clean
    }
    const outcome = verifyProvenance(envelope, keys, digest)
    if (!outcome.isVerified) {
      await write(io.stderr, `not verified: ${printable(outcome.reason)}\n`)
      return ExitCode.findings
    }
    if (typeof invocation.options.output === 'string') await writeDocument(invocation, io, envelope)
    const lines = [
      `verified: ${digest}`,
      `signed by ${outcome.keyId}`,
      ...outcome.materials.map((each) => `made of ${each}`),
    ]
    await write(io.stderr, `${lines.map(printable).join('\n')}\n`)
    return ExitCode.clean
  })

/** Null without --verify. @throws UsageError */
async function keysOf(invocation: Invocation, io: Io): Promise<Keys | null> {
  const { key } = invocation.options
  if (!flag(invocation, 'verify')) {
    if (key === undefined) return null
    throw new UsageError('--key goes with --verify', 'add --verify')
  }
  if (typeof key !== 'string') {
    throw new UsageError(
      '--verify needs --key: a key that comes with a statement proves nothing',
      'save a key of GET /api/registry/provenance-keys once, and name its file',
    )
  }
  const { text } = await readSource(key, io).catch((error: Error) => {
    throw new UsageError(`--key: ${error.message}`, 'name a file with public keys in PEM')
  })
  const keys = readKeys(text)
  if (keys.length > 0) return keys
  throw new UsageError(
    `--key: \`${key}\` holds no Ed25519 public key in PEM`,
    'save `publicKeyPem` of GET /api/registry/provenance-keys',
  )
}
