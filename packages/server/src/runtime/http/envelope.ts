/**
 * The common form of every answer (spec platform 1.4, 1.15, 1.16 and 2): envelope, status, headers, entity tag. A
 * rendered answer is data, so that it can be stored for an Idempotency-Key before it is sent.
 */
import { hash } from 'node:crypto'
import { ERROR_CATALOGUE, type ErrorCode, Refusal } from '../errors.js'
import type { Outcome, OutcomeHeaders } from '../operation/context.js'
import type { Dialect } from '../operation/dialect.js'
import { FORM_MEDIA, FORM_POLICIES, type FormName, inForm } from '../operation/forms.js'
import type { AnyCommand, Query } from '../operation/operation.js'
import type { Envelope, RawRule } from '../operation/raw.js'

export interface Rendered {
  readonly status: number
  /** Null for an answer without a body. */
  readonly body: string | null
  readonly headers: OutcomeHeaders
}

/** An answer that may be bytes. It is made for one request and never stored. */
export interface Answered extends Omit<Rendered, 'body'> {
  readonly body: string | Uint8Array<ArrayBuffer> | null
}

export interface HeaderOptions {
  /** Clients reach the server over TLS, which ends here or at a proxy. */
  readonly behindTls: boolean
}

/**
 * The headers of every answer, as a new object. An API answer is data: a browser must neither run nor frame anything in
 * it.
 *
 * The object is written out. Adding a property to a spread copy costs about a microsecond, because V8 finds no
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

/** The headers of answers that do not belong to a request of the API. */
export function commonHeaders(options: HeaderOptions): Record<string, string> {
  const { 'x-request-id': _, ...common } = answerHeaders(options, '')
  return common
}

const NO_STORE = { 'cache-control': 'no-store' }

/** The answer in another form than JSON: the data itself, with its own entity tag. */
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

/**
 * The same answer as a page, for a client whose `Accept` prefers HTML. Caches must not keep it, because it may contain
 * a secret.
 */
export function inPage(page: NonNullable<RawRule['page']>, { status, body, headers }: Answered): Answered {
  if (typeof body !== 'string') return { status, body, headers }
  const policy = FORM_POLICIES.html ?? ''
  const own = { 'content-type': FORM_MEDIA.html, 'content-security-policy': policy, vary: 'Accept', ...NO_STORE }
  return { status, body: page(JSON.parse(body) as Envelope), headers: { ...headers, ...own } }
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

/**
 * Strong, with the revision, for one record; weak for data without a revision, such as a list; none for the result of a
 * command or a POST.
 */
function entityTag(operation: Query | AnyCommand, data: unknown, text: string): string | null {
  if (operation.kind === 'query' && operation.http.method !== 'get') return null
  const revision = revisionOf(data)
  if (operation.kind === 'command' && revision === null) return null
  // Short, because it only has to distinguish two representations of one record.
  const digest = hash('sha256', text, 'base64url').slice(0, 12)
  return revision === null ? `W/"${digest}"` : `"${revision}.${digest}"`
}

/** The revision of the returned record, or of the record under its name: `{ organization: { …, revision } }`. */
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

/**
 * The value of `WWW-Authenticate`, so that a client does not mistake a missing step-up for an expired session (RFC
 * 9470).
 */
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

/** An error that is not a refusal is a bug. Nothing of it leaves the process. */
export const asRefusal = (error: unknown): Refusal =>
  error instanceof Refusal ? error : new Refusal('INTERNAL_ERROR', 'an unexpected error', { cause: error })

export function failure(refusal: Refusal, requestId: string, dialect?: Dialect): Rendered {
  const { code, message, details } = refusal
  const status = ERROR_CATALOGUE[code].status
  const challenge = CHALLENGES[code]
  if (dialect !== undefined) {
    const challenged: Record<string, string> = challenge === undefined ? {} : { 'www-authenticate': challenge }
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
 * Headers stay a plain object where possible, so that the Node adapter passes them on without building `Headers`.
 *
 * @param all The headers of every answer, as an object for this answer alone. The rendered headers are added to it.
 */
export function toResponse({ status, body, headers }: Answered, all: Record<string, string>): Response {
  if (body === null) delete all['content-type']
  let several: Headers | null = null
  for (const name in headers) {
    const value = headers[name]
    // By its name, because nearly every answer has this header and a computed key costs several times as much.
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
