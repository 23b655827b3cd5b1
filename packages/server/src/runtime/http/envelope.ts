/** The one form of every answer (platform decisions 1.4 and 2). */
import { Refusal } from '../errors.js'
import type { Outcome } from '../operation/context.js'
import type { Operation } from '../operation/operation.js'

export function success(operation: Operation, outcome: Outcome<unknown>, requestId: string): Response {
  const statusCode = outcome.status ?? operation.http.status ?? 200
  const headers = new Headers({ 'x-request-id': requestId, 'x-api-version': '1' })
  for (const [name, value] of Object.entries(outcome.headers ?? {})) {
    for (const each of typeof value === 'string' ? [value] : value) headers.append(name, each)
  }
  if (statusCode === 204) return new Response(null, { status: 204, headers })
  return Response.json({ success: true, statusCode, data: outcome.data }, { status: statusCode, headers })
}

export function failure(error: unknown, requestId: string): Response {
  // What is not a refusal is a bug: nothing of it leaves the process.
  const refusal =
    error instanceof Refusal ? error : new Refusal('INTERNAL_ERROR', 'an unexpected error', { cause: error })
  const { status: statusCode, code, message, details } = refusal
  return Response.json(
    { success: false, statusCode, code, message, ...(details === undefined ? {} : { details }), requestId },
    { status: statusCode, headers: { 'x-request-id': requestId, 'x-api-version': '1', ...refusal.headers } },
  )
}
