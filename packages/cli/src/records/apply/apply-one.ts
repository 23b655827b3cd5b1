/**
 * Brings one record to what its document says: reads it, compares, and writes only what differs. A second run writes
 * nothing. An update names the revision that it read, so that nobody's change is overwritten.
 */
import { randomUUID } from 'node:crypto'
import { ApiError } from '@plumbline/client'
import type { Session } from '../../remote/session.js'
import { findRecord } from '../keys.js'
import type { JsonObject } from '../resource.js'
import { type Change, differences } from './difference.js'
import type { ApplyDocument } from './documents.js'

export type ActionTaken = 'created' | 'updated' | 'unchanged' | 'deleted' | 'blocked' | 'failed'

export interface Outcome {
  readonly kind: string
  readonly name: string
  readonly action: ActionTaken
  readonly changes: readonly Change[]
  /** Of the verdict: `ruleName`, `severity`, `field`, `message` and more. */
  readonly violations: readonly JsonObject[]
  readonly warnings: readonly JsonObject[]
  readonly error: ApiError | Error | null
  /** Null for a record that was deleted because no document names it. */
  readonly document: ApplyDocument | null
}

export interface Place {
  readonly session: Session
  /** Records of this organization are changed, and no others. */
  readonly ownOrg: string
  readonly isDryRun: boolean
}

export async function applyOne(document: ApplyDocument, place: Place): Promise<Outcome> {
  const { kind, name } = document
  const nothing = { kind: kind.name, name, changes: [], violations: [], warnings: [], error: null, document }
  try {
    const done = await bring(document, place)
    return { ...nothing, ...done }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    if (error instanceof ApiError && error.code === 'COMPLIANCE_VIOLATION') {
      return { ...nothing, action: 'blocked', ...verdictOf(error.details), error }
    }
    return { ...nothing, action: 'failed', error }
  }
}

type Done = Pick<Outcome, 'action'> & Partial<Outcome>

async function bring(document: ApplyDocument, place: Place, isSecondTry = false): Promise<Done> {
  const { kind, fields } = document
  const live = await liveRecord(document, place)
  if (live === null) return create(document, place)
  const changes = differences(live.record, fields)
  if (changes.length === 0) return { action: 'unchanged' }
  if (place.isDryRun)
    return { ...(await validated('updated', { ...live.record, ...fields }, document, place)), changes }
  const changed = new Set(changes.map(({ path }) => /^\w+/.exec(path)?.[0] ?? path))
  const body = Object.fromEntries(Object.entries(fields).filter(([field]) => changed.has(field)))
  try {
    const { data } = await place.session.send<JsonObject>({
      method: 'PUT',
      path: `${kind.resource.path}/${live.record.id}`,
      body,
      headers: live.etag === null ? {} : { 'if-match': live.etag },
    })
    return { action: 'updated', changes, warnings: verdictOf(data).warnings }
  } catch (error) {
    // Somebody was faster: what is to be changed is looked at once more.
    const isStale = error instanceof ApiError && error.code === 'PRECONDITION_FAILED'
    if (!isStale || isSecondTry) throw error
    return bring(document, place, true)
  }
}

/** The list leaves large fields out, so the record is read by its id. */
async function liveRecord({ kind, key }: ApplyDocument, { session, ownOrg }: Place) {
  const { resource } = kind
  const found = await findRecord(session, resource, key, { ownOrg })
  if (found === null) return null
  const { data, headers } = await session.send<JsonObject>({ method: 'GET', path: `${resource.path}/${found.id}` })
  return { record: data[resource.one] as JsonObject, etag: headers.get('etag') }
}

async function create(document: ApplyDocument, place: Place): Promise<Done> {
  const { kind, key, fields } = document
  if (kind.createPath === null) {
    throw new Error(`there is no such ${kind.resource.one}: \`plumbline ${kind.resource.name} upload\` makes it`)
  }
  if (place.isDryRun) return validated('created', { ...key, ...fields }, document, place)
  const body = { ...key, ...fields }
  const { data } = await place.session.send<JsonObject>({
    method: 'POST',
    path: kind.createPath,
    body,
    // Made meanwhile by somebody else, it is theirs: the next run compares with it.
    headers: { 'idempotency-key': randomUUID(), 'if-none-match': '*' },
  })
  return { action: 'created', warnings: verdictOf(data).warnings }
}

/** What the server would say, where it can be asked without saving. */
async function validated(
  action: 'created' | 'updated',
  record: JsonObject,
  { kind, key, fields }: ApplyDocument,
  { session }: Place,
): Promise<Done> {
  if (kind.validatePath === undefined) return { action }
  const settable = [...Object.keys(key), ...kind.fields]
  const body = Object.fromEntries(
    Object.entries({ ...record, ...fields }).filter(([field]) => settable.includes(field)),
  )
  const { data } = await session.send<JsonObject>({ method: 'POST', path: kind.validatePath, body })
  const verdict = verdictOf(data)
  return { action: isBlocking(data) ? 'blocked' : action, ...verdict }
}

/** A verdict below `compliance`, or the answer itself. */
function verdictOf(data: unknown): Pick<Outcome, 'violations' | 'warnings'> {
  const { compliance, violations, warnings } = (data ?? {}) as Record<string, unknown>
  if (compliance !== undefined && compliance !== null) return verdictOf(compliance)
  return { violations: listOf(violations).filter((each) => each.severity !== 'warning'), warnings: listOf(warnings) }
}

const isBlocking = (data: JsonObject): boolean => verdictOf(data).violations.length > 0

const listOf = (value: unknown): JsonObject[] => (Array.isArray(value) ? (value as JsonObject[]) : [])
