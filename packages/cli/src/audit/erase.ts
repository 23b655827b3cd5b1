/** `plumbline audit erase`: sets one half of the chosen rows to null, and seals an event that explains it. */
import { randomBytes } from 'node:crypto'
import {
  type AuditRecord,
  ERASE_ACTION,
  type ErasablePart,
  eraseRecord,
  erasureDetails,
  scrub,
  sealEvent,
} from '@plumbline/audit-chain'
import { nodeCrypto } from '@plumbline/audit-chain/node'
import { type CommandRun, ExitCode, UsageError } from '../command.js'
import { argument, required, seqRange, text, texts } from '../program/invocation.js'
import { write } from '../program/write.js'
import { count } from '../report/reporter.js'
import { eventId } from './event-id.js'
import { readSigningKey } from './keys.js'
import { readBundle } from './read-bundle.js'
import { signedManifest, writeBundle } from './write-bundle.js'

export const run: CommandRun = async (invocation, io) => {
  const part = required(invocation, 'part') as ErasablePart
  const ranges = texts(invocation, 'seq').map(seqRange)
  if (ranges.length === 0) throw new UsageError('--seq is required', 'write --seq 7 or --seq 100-120')
  const key = await readSigningKey(text(invocation, 'key'), '--key', io)
  const path = argument(invocation, 0)
  const { manifest, rows } = await readBundle(path, io)
  if (!manifest.complete) throw new UsageError(`\`${path}\` is a part of a log: erase in the whole one`)
  const erased: number[] = []
  const left = rows.map((row) => {
    const isMeant = ranges.some(([from, to]) => from <= row.seq && row.seq <= to)
    if (!isMeant || row.action === ERASE_ACTION || isGone(row, part)) return row
    erased.push(row.seq)
    return eraseRecord(row, part)
  })
  if (erased.length === 0) throw new UsageError(`there is nothing to erase: no ${part} in these events`)
  const all = [...left]
  for (const details of erasureDetails(part, erased)) {
    const now = io.now()
    const event = {
      id: eventId(now.getTime()),
      action: ERASE_ACTION,
      actorId: 'system',
      affectedOrgId: manifest.chain,
      createdAt: now.toISOString(),
      details: scrub(nodeCrypto, details).details,
    }
    const salts = { identitySalt: randomBytes(16), detailsSalt: randomBytes(16) }
    all.push(sealEvent(nodeCrypto, { event, previous: all.at(-1) ?? null, ...salts }).record)
  }
  const bundle = { ...manifest, rows: all }
  await writeBundle(signedManifest(bundle, key, io), all, text(invocation, 'output'), io)
  await write(
    io.stderr,
    `erased the ${part} of ${count(erased.length, 'event')} and sealed the event that explains it\n`,
  )
  return ExitCode.clean
}

const isGone = (row: AuditRecord, part: ErasablePart): boolean =>
  part === 'identity' ? row.identitySalt === null : row.detailsHash === null || row.details === null
