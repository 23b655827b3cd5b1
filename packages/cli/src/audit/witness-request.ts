/** `plumbline audit witness request` */
import { formatVerifierKey, parseCheckpoint } from '@plumbline/audit-chain'
import { type CommandRun, ExitCode, UsageError } from '../command.js'
import { argument, required, text } from '../program/invocation.js'
import { write } from '../program/write.js'
import { readVerifierKeys } from './keys.js'
import { readBundle } from './read-bundle.js'
import { requestCosignature } from './witness-client.js'
import { writeBundle } from './write-bundle.js'

export const run: CommandRun = async (invocation, io) => {
  const [witness] = await readVerifierKeys([required(invocation, 'key')], io)
  if (witness?.type !== 'cosignature') throw new UsageError('--key must name the verifier key of a witness')
  const path = argument(invocation, 0)
  const { manifest, rows } = await readBundle(path, io)
  const note = manifest.checkpoints.at(-1)
  if (!manifest.complete || note === undefined)
    throw new UsageError(`\`${path}\` holds no complete log with a checkpoint`)
  const cosigned = await requestCosignature(required(invocation, 'url'), manifest, rows, note, witness)
  const keys = [...new Set([...manifest.keys, formatVerifierKey(witness)])]
  const checkpoints = [...manifest.checkpoints.slice(0, -1), cosigned]
  await writeBundle({ ...manifest, checkpoints, keys }, rows, text(invocation, 'output'), io)
  await write(
    io.stderr,
    `${witness.name} cosigned ${parseCheckpoint(note)?.origin} at size ${parseCheckpoint(note)?.size}\n`,
  )
  return ExitCode.clean
}
