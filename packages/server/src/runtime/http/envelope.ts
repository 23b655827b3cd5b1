/**
 * The one form of every answer (spec platform 1.4, 1.15, 1.16 and 2): envelope, status, headers, entity tag. What
 * is rendered is data, so that an answer can be stored for an Idempotency-Key before it leaves.
 */
import { hash } from 'node:crypto'
import { ERROR_CATALOGUE, type ErrorCode, Refusal } from '../errors.js'
import type { Outcome, OutcomeHeaders } from '../operation/context.js'
import type { Dialect } from '../operation/dialect.js'
import { FORM_MEDIA, FORM_POLICIES, type FormName, inForm } from '../operation/forms.js'
import type { AnyCommand, Query } from '../operation/operation.js'

export interface Rendered {
  readonly status: number
  /** Null for an answer without a body. */
  readonly body: string | null
  readonly headers: OutcomeHeaders
}

/** An answer that may be bytes: it is made for one request, and is never stored. */
export interface Answered extends Omit<Rendered, 'body'> {
  readonly body: string | Uint8Array<ArrayBuffer> | null
}

export interface HeaderOptions {
  /** The server is reached over TLS, here or at a proxy. */
  readonly behindTls: boolean
}

/**
 * What every answer carries, an object for each. An API answer is data: nothing in it may be run or framed by a browser.
 *
 * Written out, because a property that is added to a copy made by spreading costs about a microsecond: V8 finds no
 * transition for it and makes a new hidden class each time.
 */
export function answerHeaders({ behindTls }: HeaderOptions, requestId: string): Record<string, string> {
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'x-api-version': '1',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    'cache-control': 'private, no-cache',
    'x-request-id': requestId,
  }
  if (behindTls) headers['strict-transport-security'] = 'max-age=31536000; includeSubDomains'
  return headers
}

/** The headers of answers that belong to no request of the API. */
export function commonHeaders(options: HeaderOptions): Record<string, string> {
  const { 'x-request-id': _, ...common } = answerHeaders(options, '')
  return common
}

const NO_STORE = { 'cache-control': 'no-store' }

/** The answer in another form than JSON: the data itself, with a tag of its own. */
export function successInForm(
  forms: NonNullable<Query['forms']>,
  name: FormName,
  outcome: Outcome<unknown>,
): Answered | Promise<Answered> {
  if (name !== 'pdf') return formAnswer(name, inForm(forms, name, outcome.data), outcome)
  return (forms.pdf?.(outcome.data) ?? Promise.resolve(new Uint8Array())).then((bytes) =>
    formAnswer(name, bytes, outcome),
  )
}

function formAnswer(name: FormName, body: string | Uint8Array<ArrayBuffer>, { headers }: Outcome<unknown>): Answered {
  const etag = `W/"${hash('sha256', body, 'base64url').slice(0, 12)}"`
  const policy = FORM_POLICIES[name]
  const own = { etag, 'content-type': FORM_MEDIA[name], vary: 'Accept' }
  return {
    status: 200,
    body,
    headers: { ...own, ...(policy === undefined ? {} : { 'content-security-policy': policy }), ...headers },
  }
}

export function success(operation: Query | AnyCommand, outcome: Outcome<unknown>): Rendered {
  const said = operation.kind === 'command' ? operation.statusOf?.(outcome.data) : undefined
  const status = outcome.status ?? said ?? operation.http.status ?? 200
  const isSecret = operation.secretOutput === true || 'set-cookie' in (outcome.headers ?? {})
  if (status === 204)
    return { status, body: null, headers: isSecret ? { ...NO_STORE, ...outcome.headers } : (outcome.headers ?? {}) }
  if (operation.kind === 'query' && operation.media !== undefined) {
    const { data } = outcome
    const body = typeof data === 'string' ? data : JSON.stringify(data)
    return { status, body, headers: { 'content-type': operation.media, ...outcome.headers } }
  }
  if (operation.dialect !== undefined) {
    const headers = { 'content-type': operation.dialect.media, ...outcome.headers }
    return { status, body: JSON.stringify(outcome.data), headers: isSecret ? { ...NO_STORE, ...headers } : headers }
  }
  const data = JSON.stringify(outcome.data) ?? 'null'
  const body = `{"success":true,"statusCode":${status},"data":${data}}`
  if (isSecret) return { status, body, headers: { ...NO_STORE, ...outcome.headers } }
  const etag = entityTag(operation, outcome.data, data)
  if (etag === null) return { status, body, headers: outcome.headers ?? {} }
  if (operation.kind === 'query' && operation.forms !== undefined) {
    return { status, body, headers: { etag, vary: 'Accept', ...outcome.headers } }
  }
  return { status, body, headers: { etag, ...outcome.headers } }
}

/** Strong with the revision for one record; weak for what has none, such as a list; none for what a command or a POST only does. */
function entityTag(operation: Query | AnyCommand, data: unknown, text: string): string | null {
  if (operation.kind === 'query' && operation.http.method !== 'get') return null
  const revision = revisionOf(data)
  if (operation.kind === 'command' && revision === null) return null
  // Short, because it only has to tell two representations of one record apart.
  const digest = hash('sha256', text, 'base64url').slice(0, 12)
  return revision === null ? `W/"${digest}"` : `"${revision}.${digest}"`
}

/** Of the record that is answered, or of the one that stands under its name: `{ organization: { …, revision } }`. */
function revisionOf(data: unknown): number | null {
  if (!isRecord(data)) return null
  if (Number.isInteger(data['revision'])) return data['revision'] as number
  const [only, ...others] = Object.values(data).filter(
    (value) => isRecord(value) && Number.isInteger(value['revision']),
  )
  return only === undefined || others.length > 0 ? null : (only as { revision: number }).revision
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** `If-None-Match` compares weakly (RFC 9110, 13.1.2). */
export function isUnmodified(ifNoneMatch: string | null, etag: string | undefined): boolean {
  if (ifNoneMatch === null || etag === undefined) return false
  if (ifNoneMatch.trim() === '*') return true
  const opaque = etag.replace(/^W\//, '')
  return ifNoneMatch.split(',').some((each) => each.trim().replace(/^W\//, '') === opaque)
}

/** What `WWW-Authenticate` says, so that a client does not take a missing step-up for an expired session (RFC 9470). */
const CHALLENGES: Partial<Record<ErrorCode, string>> = {
  TOKEN_MISSING: 'Bearer',
  TOKEN_INVALID: 'Bearer error="invalid_token"',
  TOKEN_EXPIRED: 'Bearer error="invalid_token", error_description="expired"',
  TOKEN_REVOKED: 'Bearer error="invalid_token", error_description="revoked"',
  UNAUTHORIZED: 'Bearer error="invalid_credentials"',
  MFA_REQUIRED: 'Bearer error="mfa_required"',
  STEP_UP_REQUIRED: 'Bearer error="insufficient_user_authentication"',
  STEP_UP_INVALID: 'Bearer error="insufficient_user_authentication"',
  STEP_UP_MISMATCH: 'Bearer error="insufficient_user_authentication"',
  STEP_UP_REPLAY: 'Bearer error="insufficient_user_authentication"',
}

/** What is not a refusal is a bug: nothing of it leaves the process. */
export const asRefusal = (error: unknown): Refusal =>
  error instanceof Refusal ? error : new Refusal('INTERNAL_ERROR', 'an unexpected error', { cause: error })

export function failure(refusal: Refusal, requestId: string, dialect?: Dialect): Rendered {
  const { code, message, details } = refusal
  const status = ERROR_CATALOGUE[code].status
  const challenge = CHALLENGES[code]
  if (dialect !== undefined) {
    const challenged = challenge === undefined ? {} : { 'www-authenticate': challenge }
    const body = JSON.stringify(dialect.errorOf(refusal, requestId))
    return { status, body, headers: { 'content-type': dialect.media, ...challenged, ...refusal.headers } }
  }
  return {
    status,
    body: JSON.stringify({
      success: false,
      statusCode: status,
      // Document 1 names it `status` for this code alone; clients read either.
      ...(code === 'COMPLIANCE_VIOLATION' && { status }),
      code,
      message,
      ...(details && { details }),
      requestId,
    }),
    headers: challenge === undefined ? refusal.headers : { 'www-authenticate': challenge, ...refusal.headers },
  }
}

/**
 * Headers stay a plain object where they can: the Node adapter then hands them on without building `Headers`.
 * @param all the headers of every answer, an object of this answer alone: the rendered ones are added to it.
 */
export function toResponse({ status, body, headers }: Answered, all: Record<string, string>): Response {
  if (body === null) delete all['content-type']
  let several: Headers | null = null
  for (const name in headers) {
    const value = headers[name]
    // By its name: nearly every answer has it, and a key that is computed costs several times as much.
    if (name === 'etag' && typeof value === 'string') all['etag'] = value
    else if (typeof value === 'string') all[name.toLowerCase()] = value
    else several = appendAll(several ?? new Headers(), name, value ?? [])
  }
  if (several === null) return new Response(body, { status, headers: all })
  for (const name in all) several.set(name, all[name] as string)
  return new Response(body, { status, headers: several })
}

/** Several headers of one name, such as cookies. */
function appendAll(headers: Headers, name: string, values: readonly string[]): Headers {
  for (const value of values) headers.append(name, value)
  return headers
}
