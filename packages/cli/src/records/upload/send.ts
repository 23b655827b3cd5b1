/**
 * Sends the archive of a plugin in at most three attempts with one `Idempotency-Key`, so that a retry has no second
 * effect.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { NotDoneError } from '../../command.js'
import { type Reply, replyOf, type Session } from '../../remote/session.js'
import type { JsonObject } from '../resource.js'
import { type FormFile, formOf } from './form.js'

const ATTEMPTS = 3
const PAUSE_MS = 200
const PAUSE_MS_MAX = 30_000
const TRANSIENT = new Set([429, 502, 503, 504])

export interface UploadRequest {
  readonly path: string
  /** The form fields next to the file; objects and lists as JSON. */
  readonly fields: Readonly<Record<string, string>>
}

/** Creates the file part for each attempt, because a stream can be read only once. */
export type Archive = () => FormFile

export async function sendArchive(
  session: Session,
  request: UploadRequest,
  archive: Archive,
): Promise<Reply<JsonObject>> {
  const key = randomUUID()
  for (let attempt = 1; ; attempt++) {
    const isLast = attempt === ATTEMPTS
    let waitMs = PAUSE_MS * 2 ** (attempt - 1)
    try {
      const response = await uploadOnce(session, request, archive(), key)
      const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
      if (Number.isFinite(seconds)) waitMs = seconds * 1000
      if (isLast || !TRANSIENT.has(response.status) || waitMs > PAUSE_MS_MAX) return await replyOf(response)
      await response.body?.cancel()
    } catch (error) {
      if (isLast || !(error instanceof NotDoneError)) throw error
    }
    await sleep(waitMs)
  }
}

function uploadOnce(session: Session, { path, fields }: UploadRequest, file: FormFile, key: string): Promise<Response> {
  const { contentType, contentLength, body } = formOf(fields, file)
  return session.fetch(path, {
    method: 'POST',
    headers: {
      'content-type': contentType,
      'idempotency-key': key,
      ...(contentLength === null ? {} : { 'content-length': String(contentLength) }),
    },
    body,
    duplex: 'half',
  } as RequestInit)
}
