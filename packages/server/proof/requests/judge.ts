/** What is wrong with an answer, whatever the request was: the contract of every operation, in one place. */
import { ERROR_CATALOGUE, type ErrorCode } from '../../src/runtime/errors.js'
import { declaredErrors } from '../../src/runtime/operation/declared-errors.js'
import type { Operation } from '../../src/runtime/operation/operation.js'
import { problems } from '../../src/runtime/operation/schema.js'
import { insideOf } from './inside.js'
import type { Answer, ProofRequest } from './request.js'

/** Refusals of the router, for a path that is not a path of the operation once it is decoded. */
const OF_THE_ROUTER: ReadonlySet<string> = new Set(['NOT_FOUND', 'METHOD_NOT_ALLOWED'])

const declaredOf = new WeakMap<Operation, ReadonlySet<ErrorCode>>()

function declared(operation: Operation): ReadonlySet<ErrorCode> {
  let codes = declaredOf.get(operation)
  if (codes === undefined) {
    codes = new Set(declaredErrors(operation))
    declaredOf.set(operation, codes)
  }
  return codes
}

/** @param isRouted false when the request's path may be another operation's, or nobody's. */
export function judge(
  operation: Operation,
  request: ProofRequest,
  { status, headers, text }: Answer,
  isRouted = true,
): string[] {
  const found: string[] = []
  // What is not set up on a server is said with 501.
  if (status >= 500 && status !== 503 && status !== 501) found.push(`status ${status}`)
  for (const match of insideOf(text, request)) found.push(`tells what is inside: ${match.slice(0, 100)}`)
  if (headers.get('x-content-type-options') !== 'nosniff' || headers.get('x-request-id') === null) {
    found.push('lacks a header of every answer')
  }
  if (status === 304 || status === 204) return text === '' ? found : [...found, `${status} with a body`]
  if (status < 400) return isRouted ? [...found, ...judgeSuccess(operation, status, headers, text)] : found
  return [...found, ...judgeFailure(operation, status, text, isRouted)]
}

function judgeSuccess(operation: Operation, status: number, headers: Headers, text: string): string[] {
  if (operation.kind === 'stream' || operation.kind === 'file') return []
  if (operation.kind === 'query' && operation.media !== undefined) {
    return headers.get('content-type') === operation.media ? [] : ['another content type']
  }
  const body = parse(text)
  if (body === null) return ['is not a JSON object']
  const found: string[] = []
  if (operation.dialect !== undefined) {
    if (headers.get('content-type') !== operation.dialect.media) found.push('has another content type')
    const wrong = operation.output === null ? [] : problems(operation.output, body, '')
    return [...found, ...wrong.map(({ path, message }) => `${path} ${message}`)]
  }
  if (body['success'] !== true || body['statusCode'] !== status) found.push('has another envelope')
  if (operation.output === null) found.push('has a body, and none is declared')
  else found.push(...problems(operation.output, body['data'], '/data').map(({ path, message }) => `${path} ${message}`))
  return found
}

function judgeFailure(operation: Operation, status: number, text: string, isRouted: boolean): string[] {
  const body = parse(text)
  if (body === null) return ['is not a JSON object']
  const { code, message, details } = body
  const found: string[] = []
  const known = typeof code === 'string' && Object.hasOwn(ERROR_CATALOGUE, code)
  if (!known) return [`has the unknown code ${String(code)}`]
  const isDialect = operation.dialect !== undefined && body['success'] === undefined
  const said = isDialect ? Number(body['status']) : body['statusCode']
  if (ERROR_CATALOGUE[code as ErrorCode].status !== status || said !== status) {
    found.push(`${code} with the status ${status}`)
  }
  if (!declared(operation).has(code as ErrorCode) && (isRouted || !OF_THE_ROUTER.has(code))) {
    found.push(`the undeclared code ${code}`)
  }
  const hasText = isDialect
    ? typeof body['detail'] === 'string'
    : body['success'] === false && typeof message === 'string'
  if (!hasText || typeof body['requestId'] !== 'string') found.push('has another envelope')
  if (code === 'VALIDATION_ERROR') {
    const { issues } = (details ?? {}) as { issues?: { path?: unknown; message?: unknown; code?: unknown }[] }
    const isSound = (issues ?? []).every((each) =>
      [each.path, each.message, each.code].every((part) => typeof part === 'string' && part !== ''),
    )
    if (issues === undefined || issues.length === 0 || !isSound) found.push('a validation error without its issues')
  }
  return found
}

function parse(text: string): Record<string, unknown> | null {
  try {
    const value = JSON.parse(text) as unknown
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}
