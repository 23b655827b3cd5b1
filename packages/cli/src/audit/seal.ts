/** `plumbline audit seal`: starts a log without a server, or continues one. */
import { randomBytes } from 'node:crypto'
import {
  ACTIONS,
  type AuditEvent,
  type AuditRecord,
  chainKey,
  prepareDetails,
  scrub,
  sealEvent,
} from '@plumbline/audit-chain'
import { nodeCrypto } from '@plumbline/audit-chain/node'
import { type CommandRun, ExitCode, type Io, UsageError } from '../command.js'
import { argument, required, text } from '../program/invocation.js'
import { write } from '../program/write.js'
import { count } from '../report/reporter.js'
import { eventId } from './event-id.js'
import { keptLines } from './input.js'
import { readSigningKey } from './keys.js'
import { type Bundle, readBundle } from './read-bundle.js'
import { printable } from './report-text.js'
import { signedManifest, writeBundle } from './write-bundle.js'

export const run: CommandRun = async (invocation, io) => {
  const key = await readSigningKey(text(invocation, 'key'), '--key', io)
  const continued = text(invocation, 'continue')
  const base = continued === undefined ? null : await readBundle(continued, io)
  if (base !== null && !base.manifest.complete)
    throw new UsageError(`\`${continued}\` is a part of a log and cannot be continued`)
  const sealer = new Sealer(base, io)
  let number = 0
  for await (const { texts, isTooLong } of keptLines(argument(invocation, 0), io)) {
    for (const line of texts) {
      number++
      if (line.trim() !== '') sealer.seal(line, number)
    }
    if (isTooLong) throw new UsageError(`line ${number + 1} is too long for an event`)
  }
  if (sealer.rows.length === 0 || sealer.chain === null) throw new UsageError('there are no events to seal')
  const rows = [...(base?.rows ?? []), ...sealer.rows]
  const bundle = {
    origin: base?.manifest.origin ?? required(invocation, 'origin'),
    chain: sealer.chain,
    rows,
    anchor: base?.manifest.anchor ?? null,
    checkpoints: base?.manifest.checkpoints ?? [],
    keys: base?.manifest.keys ?? [],
    withheld: base?.manifest.withheld,
  }
  await writeBundle(signedManifest(bundle, key, io), rows, text(invocation, 'output'), io)
  for (const note of sealer.notes) await write(io.stderr, `${note}\n`)
  await write(
    io.stderr,
    `sealed ${count(sealer.rows.length, 'event')} of chain ${printable(sealer.chain)}; the head is event ${rows.at(-1)?.seq}\n`,
  )
  return ExitCode.clean
}

const EVENT_FIELDS = new Set([
  'id',
  'action',
  'actorId',
  'actorRole',
  'orgId',
  'affectedOrgId',
  'targetType',
  'targetId',
  'groupId',
  'impersonatorId',
  'outcome',
  'requestId',
  'traceId',
  'idempotencyKey',
  'occurredAt',
  'createdAt',
  'actorEmail',
  'ip',
  'userAgent',
  'details',
])

class Sealer {
  readonly rows: AuditRecord[] = []
  readonly notes = new Set<string>()
  chain: string | null
  #previous: AuditRecord | null
  readonly #io: Io

  constructor(base: Bundle | null, io: Io) {
    this.#io = io
    this.chain = base?.manifest.chain ?? null
    this.#previous = base?.rows.at(-1) ?? null
  }

  seal(line: string, number: number): void {
    const input = readEvent(line, number)
    const chain = chainKey(input)
    this.chain ??= chain
    if (chain !== this.chain) {
      throw new UsageError(
        `line ${number} belongs to chain \`${printable(chain)}\`, not \`${printable(this.chain)}\``,
        'a bundle holds one chain',
      )
    }
    const details = this.#details(input, number)
    const createdAt =
      typeof input.createdAt === 'string' ? input.createdAt : (input.occurredAt ?? this.#io.now().toISOString())
    const event: AuditEvent = { ...input, id: input.id ?? eventId(this.#io.now().getTime()), createdAt, details }
    try {
      const salt = details === null ? null : randomBytes(16)
      const { record } = sealEvent(nodeCrypto, {
        event,
        previous: this.#previous,
        identitySalt: randomBytes(16),
        detailsSalt: salt,
      })
      this.rows.push(record)
      this.#previous = record
    } catch (error) {
      throw new UsageError(`line ${number}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }

  #details(input: EventInput, number: number): (AuditEvent['details'] & object) | null {
    if (input.details === undefined || input.details === null) return null
    const isKnown = ACTIONS.has(input.action)
    if (!isKnown) this.notes.add(`note: \`${printable(input.action)}\` is not in the catalogue of actions`)
    const prepared = isKnown ? prepareDetails(input.action, input.details) : { details: input.details, dropped: [] }
    if (prepared.dropped.length > 0) {
      this.notes.add(
        `note: line ${number}: \`${input.action}\` takes no details ${prepared.dropped.map((key) => `\`${printable(key)}\``).join(', ')}`,
      )
    }
    const { details, removed } = scrub(nodeCrypto, prepared.details)
    for (const { path, kind } of removed) this.notes.add(`note: line ${number}: scrubbed ${printable(path)} (${kind})`)
    return details
  }
}

type EventInput = Omit<AuditEvent, 'id' | 'createdAt' | 'details'> & {
  readonly id?: string
  readonly createdAt?: string
  readonly details?: Record<string, unknown> | null
}

function readEvent(line: string, number: number): EventInput {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    throw new UsageError(`line ${number} is not JSON`, 'events are JSON Lines: one object a line')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UsageError(`line ${number} is not an event`)
  for (const [field, member] of Object.entries(value)) {
    if (!EVENT_FIELDS.has(field)) throw new UsageError(`line ${number}: an event has no field \`${printable(field)}\``)
    const fits =
      field === 'details'
        ? member === null || (typeof member === 'object' && !Array.isArray(member))
        : member === null || typeof member === 'string'
    if (!fits)
      throw new UsageError(`line ${number}: \`${field}\` must be ${field === 'details' ? 'an object' : 'text'} or null`)
  }
  const event = value as EventInput
  if (typeof event.action !== 'string' || event.action === '')
    throw new UsageError(`line ${number}: \`action\` is required`)
  const { outcome } = event
  if (outcome != null && outcome !== 'success' && outcome !== 'failure') {
    throw new UsageError(`line ${number}: \`outcome\` must be success or failure`)
  }
  return event
}
