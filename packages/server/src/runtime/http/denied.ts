/**
 * Evidence of refused changes: `authz.denied`. It has a transaction of its own, because the refused change has none.
 * One event is written for each caller and path in ten seconds; the next one has the number of those that were left
 * out. Source: spec billing-audit 26; spec platform 5.
 */
import { LRUCache } from 'lru-cache'
import type { ErrorCode, Refusal } from '../errors.js'
import { writeEvidence } from '../jobs/evidence.js'
import type { ActorRecord, Authority, RequestInfo, Runtime } from '../operation/context.js'
import type { Operation } from '../operation/operation.js'

const QUIET_MS = 10_000
const CALLERS_MAX = 10_000

const RECORDED: ReadonlySet<ErrorCode> = new Set(['INSUFFICIENT_PERMISSIONS', 'ORG_MISMATCH', 'READ_ONLY_SESSION'])

export interface Denial {
  readonly operation: Operation
  readonly refusal: Refusal
  readonly actor: ActorRecord
  readonly authority: Pick<Authority, 'org'>
  readonly request: RequestInfo
}

export const isRecorded = (operation: Operation, refusal: Refusal): boolean =>
  operation.http.method !== 'get' && RECORDED.has(refusal.code)

export function deniedRecorder(runtime: Runtime): (denial: Denial) => Promise<void> {
  const seen = new LRUCache<string, { atMs: number; suppressed: number }>({ max: CALLERS_MAX })
  return async ({ operation, refusal, actor, authority, request }) => {
    const { method, path } = operation.http
    const key = `${actor.id} ${method} ${path}`
    const nowMs = runtime.clock.now()
    const last = seen.get(key)
    if (last !== undefined && nowMs - last.atMs < QUIET_MS) {
      last.suppressed += 1
      return
    }
    seen.set(key, { atMs: nowMs, suppressed: 0 })
    const details = {
      method: method.toUpperCase(),
      path,
      required: requiredOf(refusal),
      ...(last !== undefined && last.suppressed > 0 ? { suppressed: last.suppressed } : {}),
    }
    await runtime.store.system.write(async (tx) => {
      await writeEvidence(tx, { runtime, actor, authority, request, nowMs }, 'authz.denied', { details })
    })
  }
}

/** The missing authority, as the refusal names it. */
function requiredOf({ code, details }: Refusal): unknown {
  return details?.['required'] ?? details?.['requiredFeature'] ?? details?.['scope'] ?? details?.['reason'] ?? code
}
