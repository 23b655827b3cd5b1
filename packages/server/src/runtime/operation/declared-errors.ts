/** The error codes of an operation: its own, and those that follow from its access, tenant and input. */

import type { ErrorCode } from '../errors.js'
import { UUID } from '../ids.js'
import { isPublic } from './authorize.js'
import { isCountedCall } from './call-meter.js'
import { isChange, type Operation } from './operation.js'

export function declaredErrors(operation: Operation): ErrorCode[] {
  const { access, tenant, input, http } = operation
  const codes: ErrorCode[] = ['RATE_LIMIT_EXCEEDED', 'INTERNAL_ERROR', 'SERVICE_UNAVAILABLE', ...operation.errors]
  if (!isPublic(access)) {
    codes.push('TOKEN_MISSING', 'TOKEN_INVALID', 'TOKEN_EXPIRED', 'TOKEN_REVOKED')
    codes.push('INSUFFICIENT_PERMISSIONS', 'ORG_MISMATCH')
    if (isChange(operation)) codes.push('READ_ONLY_SESSION')
    if (isCountedCall(operation)) codes.push('QUOTA_EXCEEDED')
  }
  if (access.stepUp !== false || access.stepUpWhen !== undefined) {
    codes.push('STEP_UP_REQUIRED', 'STEP_UP_INVALID', 'STEP_UP_MISMATCH', 'STEP_UP_REPLAY')
  }
  if (!isPublic(access) && tenant.from !== 'none') codes.push('SSO_REQUIRED')
  if (tenant.from === 'path') codes.push('NOT_FOUND')
  const pathFields = Object.values((input.path?.properties ?? {}) as Record<string, { pattern?: string }>)
  if (
    (http.method === 'get' || http.method === 'delete') &&
    pathFields.some(({ pattern }) => pattern === UUID.source)
  ) {
    codes.push('NOT_FOUND')
  }
  if (input.path !== undefined || input.query !== undefined || input.body !== undefined) codes.push('VALIDATION_ERROR')
  if (input.body !== undefined) codes.push('PAYLOAD_TOO_LARGE', 'REQUEST_TIMEOUT', 'UNSUPPORTED_MEDIA_TYPE')
  if (operation.kind === 'query' && operation.forms !== undefined) codes.push('NOT_ACCEPTABLE')
  if (operation.kind === 'command') {
    // `If-Match` and `Idempotency-Key` may be sent to any command; a malformed one is a mistake in the request.
    codes.push('PRECONDITION_FAILED', 'VALIDATION_ERROR')
    if (operation.idempotent) codes.push('CONFLICT', 'IDEMPOTENCY_MISMATCH')
    if (operation.raw !== undefined) codes.push('PAYLOAD_TOO_LARGE', 'REQUEST_TIMEOUT')
    if (operation.upload !== undefined) {
      codes.push('MISSING_REQUIRED_FIELD', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', 'REQUEST_TIMEOUT')
    }
  }
  return [...new Set(codes)].sort()
}
