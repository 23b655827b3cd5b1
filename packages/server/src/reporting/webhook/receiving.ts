/**
 * How a signed delivery is processed. The signature is verified before the payload is parsed. A delivery that cannot be
 * used gets 200, because the sender would retry after an error.
 */
import { and, eq, type Placeholder } from 'drizzle-orm'
import Type from 'typebox'
import { invalidField, Refusal } from '../../runtime/errors.js'
import { changed, type PrepareContext, type WriteContext } from '../../runtime/operation/context.js'
import { RAW_BYTES_MAX, type RawBody } from '../../runtime/operation/raw.js'
import { nullable, strictObject } from '../../runtime/operation/schema.js'
import { insertRows, prepared } from '../../runtime/store/prepared.js'
import type { Heard } from '../delivery/common-form.js'
import { READERS } from '../delivery/format.js'
import { isProven, WANTED } from '../delivery/proof.js'
import { takeHeard } from '../delivery/take.js'
import type { SourceFormat } from '../formats.js'
import { secretsOf } from '../source/secret.js'
import { reportingTables, type SourceRow } from '../tables.js'

const Count = Type.Integer({ minimum: 0 })
export const Answer = strictObject({
  type: Type.String(),
  inserted: Count,
  duplicates: Count,
  skipped: Count,
  parked: Type.Integer({ minimum: 0, description: 'Wait up to 7 days for their pipeline' }),
  commits: Count,
  incidents: Count,
  note: nullable(Type.String({ description: 'Why the delivery was not used, or only in part' })),
})

export interface Received {
  readonly source: SourceRow
  readonly heard: Heard
}

export const RAW = {
  bytesMax: RAW_BYTES_MAX,
  atOnceMax: 64,
  refusedIn: 'raw-refused',
  description: 'The delivery as the sender signed it, in JSON.',
  mediaType: 'application/json',
} as const

const liveSource = prepared((db, value: (name: 'sourceId' | 'format') => Placeholder) => {
  const { reportSources: t } = reportingTables(db)
  return db
    .select()
    .from(t)
    .where(and(eq(t.id, value('sourceId')), eq(t.format, value('format')), eq(t.isEnabled, true)))
})

/** @throws Refusal 401, 415 or 400, in this order. */
export async function receive(
  { runtime, nowMs, read }: PrepareContext,
  format: SourceFormat,
  sourceId: string,
  raw: RawBody,
): Promise<Received> {
  const source = await read(async (db) => (await liveSource(db, { sourceId, format }))[0])
  // An unknown source gets the same answer as a wrong secret.
  // guard: a-delivery-of-a-source-is-signed-by-its-secret
  if (source === undefined || !isProven(format, secretsOf(runtime, source, nowMs), raw, nowMs)) {
    throw new Refusal(
      'TOKEN_INVALID',
      `the source does not exist or is off, or the secret of the delivery is wrong: send ${WANTED[format]}`,
    )
  }
  if (/protobuf/.test(raw.mediaType)) {
    throw new Refusal('UNSUPPORTED_MEDIA_TYPE', 'protobuf is not supported: set the exporter to `encoding: json`')
  }
  if (!/^(?:identity)?$/i.test(raw.headers.get('content-encoding') ?? '')) {
    throw new Refusal(
      'UNSUPPORTED_MEDIA_TYPE',
      'a compressed body is not supported: set the exporter to `compression: none`',
    )
  }
  return { source, heard: READERS[format]({ payload: payloadOf(raw), headers: raw.headers }) }
}

const JSON_DEPTH_MAX = 64

function payloadOf({ bytes, mediaType }: RawBody): unknown {
  const text = bytes.toString('utf8')
  // GitHub sends the payload as a form field by default.
  const json =
    mediaType === 'application/x-www-form-urlencoded' ? (new URLSearchParams(text).get('payload') ?? '') : text
  let payload: unknown
  try {
    payload = JSON.parse(json)
  } catch {
    throw invalidField('/body', 'is not JSON: set the content type of the sender to application/json', 'json')
  }
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) {
    throw invalidField('/body', 'must be one JSON object: send one event a request', 'type')
  }
  if (depthOf(payload) > JSON_DEPTH_MAX)
    throw invalidField('/body', `is nested more than ${JSON_DEPTH_MAX} deep`, 'depth')
  return payload
}

function depthOf(value: unknown): number {
  let level: unknown[] = [value]
  let depth = 0
  while (level.length > 0 && depth <= JSON_DEPTH_MAX) {
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []))
    depth++
  }
  return depth
}

export async function take(
  { tx, runtime, nowMs }: WriteContext<never>,
  { source, heard }: Received,
  { headers }: RawBody,
) {
  const { parkedRefs, ...done } = await takeHeard(tx, heard, { runtime, source, nowMs })
  const senderId = ['x-github-delivery', 'x-gitlab-event-uuid', 'webhook-id', 'ce-id']
    .map((name) => headers.get(name))
    .find((value) => value !== null)
  const { reportDeliveries } = reportingTables(tx)
  const told = { type: heard.type.slice(0, 200), senderId: senderId?.slice(0, 200) ?? null, receivedMs: nowMs }
  const row = { orgId: source.orgId, sourceId: source.id, id: runtime.ids.next(), ...told, ...done, parkedRefs }
  await insertRows(tx, reportDeliveries, [row])
  return changed({ type: heard.type.slice(0, 200), ...done })
}
