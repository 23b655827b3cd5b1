/**
 * Brings one record to what its document says: reads it, compares, and writes only what differs. A second run writes
 * nothing. An update names the revision that it read, so that it never overwrites a change made in the meantime.
 */
import { randomUUID } from 'node:crypto'
import { ApiError } from '@plumbline/client'
import { NotDoneError } from '../../command.js'
import type { ApiRequest, Session } from '../../remote/session.js'
import { findRecord } from '../keys.js'
import type { JsonObject } from '../resource.js'
import { rules } from '../rules.js'
import type { madeArchive } from '../upload/made-archive.js'
import { sendArchive } from '../upload/send.js'
import { type Change, differences } from './difference.js'
import type { ApplyDocument } from './documents.js'
import { listOf, type Remarks, remarksOf, validate } from './validate.js'

export type ActionTaken = 'created' | 'updated' | 'unchanged' | 'skipped' | 'deleted' | 'blocked' | 'failed'

/** Lists show its records to every organization: templates, policies and plugins of the platform. */
const SYSTEM_ORG_ID = '00000000-0000-7000-8000-000000000001'

export interface Outcome extends Remarks {
  readonly kind: string
  readonly name: string
  readonly action: ActionTaken
  readonly changes: readonly Change[]
  readonly error: Error | null
  /** Null for a record that was deleted because it has no document any more. */
  readonly document: ApplyDocument | null
}

export interface Place {
  readonly session: Session
  /** Only records of this organization are changed. */
  readonly ownOrg: string
  readonly isDryRun: boolean
  /** In a dry run: the names of rules that documents before this one would create. */
  readonly wouldBe: Set<string>
}

export async function applyOne(document: ApplyDocument, place: Place): Promise<Outcome> {
  const { kind, name } = document
  const nothing = { kind: kind.name, name, changes: [], violations: [], warnings: [], notes: [], error: null, document }
  try {
    return { ...nothing, ...(await bring(document, place)) }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    if (error instanceof ApiError && error.code === 'COMPLIANCE_VIOLATION') {
      const { violations, warnings } = error.details
      return { ...nothing, action: 'blocked', violations: listOf(violations), warnings: listOf(warnings), error }
    }
    return { ...nothing, action: 'failed', error }
  }
}

type Done = Pick<Outcome, 'action'> & Partial<Outcome>

async function bring(document: ApplyDocument, place: Place, isSecondTry = false): Promise<Done> {
  const { kind } = document
  if (document.orgId === SYSTEM_ORG_ID && place.ownOrg !== SYSTEM_ORG_ID) return { action: 'skipped' }
  const fields = (await kind.resolve?.(document.fields, place.session)) ?? document.fields
  const live = await liveRecord(document, place)
  if (live === null) {
    if (isSecondTry) throw new NotDoneError('the record was deleted while it was applied')
    return create({ ...document, fields }, place)
  }
  const left = [...(kind.createOnly ?? []), ...(kind.alongside ?? []), ...(kind.openFields?.(live.record) ?? [])]
  const settable = without(fields, left)
  const changes = differences(kind.comparable?.(live.record) ?? live.record, settable)
  if (changes.length === 0) return { action: 'unchanged' }
  const changed = new Set(changes.map(({ field }) => field))
  const update: ApiRequest = {
    method: 'PUT',
    path: `${kind.resource.path}/${live.record.id}`,
    body: Object.fromEntries(
      Object.entries(without(fields, kind.createOnly)).filter(
        ([field]) => changed.has(field) || kind.alongside?.includes(field),
      ),
    ),
    headers: live.etag === null ? {} : { 'if-match': live.etag },
  }
  try {
    if (place.isDryRun) {
      const record = { ...live.record, ...settable }
      return { action: 'updated', changes, ...(await tried(document, update, record, place)) }
    }
    const { data } = await place.session.send<JsonObject>(update)
    return { action: 'updated', changes, ...remarksOf(data) }
  } catch (error) {
    // Another change came first: read the record again and compare once more.
    const isStale = error instanceof ApiError && error.code === 'PRECONDITION_FAILED'
    if (!isStale || isSecondTry) throw error
    return bring(document, place, true)
  }
}

/** The list leaves large fields out, so the record is read by its id. */
async function liveRecord({ kind, key, fields }: ApplyDocument, { session, ownOrg }: Place) {
  const { resource } = kind
  const found = await findRecord(session, resource, key, { ownOrg, version: fields.version })
  if (found === null) return null
  const { data, headers } = await session.send<JsonObject>({ method: 'GET', path: `${resource.path}/${found.id}` })
  return { record: data[resource.one] as JsonObject, etag: headers.get('etag') }
}

async function create(document: ApplyDocument, place: Place): Promise<Done> {
  const { kind, key, fields } = document
  const record = { ...key, ...fields }
  if (kind.archive !== undefined) return upload(document, kind.archive(record), place)
  const request: ApiRequest = {
    method: 'POST',
    path: kind.createPath,
    body: without(without(record, kind.updateOnly), kind.alongside),
    // `if-none-match` refuses to overwrite a record that another caller created in the meantime. The next run compares
    // with it.
    headers: { 'idempotency-key': randomUUID(), 'if-none-match': '*' },
  }
  if (place.isDryRun) {
    const verdict = await tried(document, request, record, place)
    if (kind.resource === rules) place.wouldBe.add(document.name)
    return { action: 'created', ...verdict }
  }
  const { data } = await place.session.send<JsonObject>(request)
  const made = { action: 'created' as const, ...remarksOf(data) }
  const later = Object.fromEntries(
    (kind.updateOnly ?? []).flatMap((name) => (name in fields ? [[name, fields[name]]] : [])),
  )
  if (differences(data[kind.resource.one] as JsonObject, later).length === 0) return made
  // An update writes the fields that a create does not take.
  return { ...(await bring(document, place)), ...made }
}

/** What the server says about a change that it does not make. */
async function tried(
  { kind, fields }: ApplyDocument,
  request: ApiRequest,
  record: JsonObject,
  { session, wouldBe }: Place,
): Promise<Partial<Done>> {
  if (kind.hasDryRun !== true) return validate(kind, record, session)
  const missing = kind.needs?.(fields).filter((name) => wouldBe.has(name)) ?? []
  if (missing.length > 0) return { notes: missing.map((name) => ({ message: uncheckedText(name) })) }
  const { data } = await session.send<JsonObject>({ ...request, query: { dryRun: 'true' } })
  return remarksOf(data)
}

const uncheckedText = (name: string) =>
  `the server cannot check this before the rule \`${name}\` exists, which this run would create`

/** Uploads the plugin, then writes the fields that an upload does not take. A dry run ends at the answer to the upload. */
async function upload(document: ApplyDocument, made: ReturnType<typeof madeArchive>, place: Place): Promise<Done> {
  const path = `${document.kind.createPath}${place.isDryRun ? '?dryRun=true' : ''}`
  const { data } = await sendArchive(place.session, { path, fields: made.fields }, made.archive)
  if (place.isDryRun) return { action: 'created', ...remarksOf(data) }
  const { changes: _changes, ...rest } = await bring(document, place, true)
  return { ...rest, ...remarksOf(data), action: 'created' }
}

const without = (fields: JsonObject, names: readonly string[] = []): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter(([field]) => !names.includes(field)))
