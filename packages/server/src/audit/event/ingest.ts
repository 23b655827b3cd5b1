/** `POST /audit/events` */

import { setTimeout as sleep } from 'node:timers/promises'
import { inArray } from 'drizzle-orm'
import Type from 'typebox'
import { insufficient, invalidField, Refusal } from '../../runtime/errors.js'
import { scope } from '../../runtime/operation/access.js'
import { changed, unchanged, type WriteContext } from '../../runtime/operation/context.js'
import { command, none, noTenant } from '../../runtime/operation/operation.js'
import type { StoreScope, Tx } from '../../runtime/store/db.js'
import { auditTables } from '../tables.js'
import { acceptEvent, type Service } from './accept.js'
import { IngestAnswer, RemoteBatch, RemoteEvent } from './ingest-schema.js'

const BYTES_MAX = 262_144
const KEY_LENGTH_MAX = 128
const WAIT_MS = 2000

export const ingestEvents = command({
  name: 'audit.event.ingest',
  summary: 'Accept events from other services',
  description:
    'One event, or up to 100. Send an idempotency key with each event, so that a repeated delivery adds no second one. The answer waits up to 2 s for the event to be sealed.',
  http: { method: 'post', path: '/audit/events' },
  access: scope('audit:ingest'),
  tenant: noTenant,
  audit: none('the events are the evidence'),
  input: { body: Type.Union([RemoteEvent, RemoteBatch]) },
  output: IngestAnswer,
  errors: ['VALIDATION_ERROR', 'INSUFFICIENT_PERMISSIONS', 'IDEMPOTENCY_CONFLICT', 'PAYLOAD_TOO_LARGE'],
  async run(context, { body }) {
    const { principal, request } = context
    if (principal.kind !== 'service') throw insufficient('service', 'this is for service principals')
    if (Buffer.byteLength(JSON.stringify(body)) > BYTES_MAX) {
      throw new Refusal(
        'PAYLOAD_TOO_LARGE',
        `the events of one request have more than ${BYTES_MAX} bytes: send fewer at once`,
      )
    }
    const header = headerKey(request.headers)
    if ('events' in body) {
      const results = []
      for (const [index, event] of body.events.entries()) {
        results.push(await inBatch(context, principal, event, index, header))
      }
      const hasNew = results.some(({ duplicate }) => duplicate === false)
      return hasNew ? changed({ results }) : unchanged({ results })
    }
    const key = body.idempotencyKey ?? header
    const { tx, runtime, nowMs } = context
    const { id, duplicate, dropped } = await acceptEvent(tx, runtime, {
      service: principal,
      event: body,
      at: '/body',
      key,
      nowMs,
    })
    const answer = { id, seq: null, duplicate, dropped }
    return duplicate ? unchanged(answer) : changed(answer)
  },
  async settle({ read }, data) {
    const items = 'results' in data ? data.results : [data]
    const ids = items.flatMap(({ id }) => (id === undefined ? [] : [id]))
    const seqs = await sealedSeqs(read, ids)
    const numbered = <T extends { id?: string }>(item: T): T =>
      item.id === undefined ? item : { ...item, seq: seqs.get(item.id) ?? null }
    return 'results' in data ? { results: data.results.map(numbered) } : numbered(data)
  },
})

/** One event of a batch: a refusal is reported in its place in the answer, and the other events are accepted. */
async function inBatch(
  { tx, runtime, nowMs }: Pick<WriteContext, 'runtime' | 'nowMs'> & { tx: Tx },
  service: Service,
  event: RemoteEvent,
  index: number,
  header: string | null,
) {
  const key = event.idempotencyKey ?? (header === null ? null : `${header}#${index}`)
  try {
    // A refusal is thrown before anything of the event is written, so the transaction needs no savepoint.
    const { id, duplicate, dropped } = await acceptEvent(tx, runtime, {
      service,
      event,
      at: `/body/events/${index}`,
      key,
      nowMs,
    })
    return { status: 200, id, duplicate, dropped }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { status: error.status, code: error.code, message: error.message }
  }
}

function headerKey(headers: Headers | undefined): string | null {
  const key = headers?.get('idempotency-key') ?? null
  if (key !== null && (key === '' || key.length > KEY_LENGTH_MAX)) {
    throw invalidField('/header/idempotency-key', `must have 1 to ${KEY_LENGTH_MAX} characters`, 'length')
  }
  return key
}

async function sealedSeqs(read: StoreScope['read'], ids: readonly string[]): Promise<Map<string, number>> {
  const until = performance.now() + WAIT_MS
  for (let pauseMs = 3; ; pauseMs = Math.min(100, pauseMs * 2)) {
    const rows = await read((db) => {
      const { auditEvents: t } = auditTables(db)
      return db
        .select({ id: t.id, seq: t.seq })
        .from(t)
        .where(inArray(t.id, [...ids]))
    })
    if (rows.length >= new Set(ids).size || performance.now() + pauseMs > until) {
      return new Map(rows.map(({ id, seq }) => [id, seq]))
    }
    await sleep(pauseMs)
  }
}
