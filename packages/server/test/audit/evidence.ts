/** Writes evidence as operations do, without one. */
import type { ActionName } from '@plumbline/audit-chain'
import { type Clock, systemClock } from '../../src/runtime/clock.js'
import { createIds } from '../../src/runtime/ids.js'
import { writeEvidence } from '../../src/runtime/jobs/evidence.js'
import type { AuditEntry, Runtime } from '../../src/runtime/operation/context.js'
import type { Store, Tx } from '../../src/runtime/store/db.js'

export const ORG_A = '0190a1b2-0000-7000-8000-00000000000a'
export const ORG_B = '0190a1b2-0000-7000-8000-00000000000b'

export function runtimeOver(store: Store, clock: Clock = systemClock, onEvidence?: () => void): Runtime {
  return {
    clock,
    ids: createIds(clock),
    store,
    settings: {} as Runtime['settings'],
    domains: [],
    ...(onEvidence === undefined ? {} : { onEvidence }),
  }
}

export function evidence(
  tx: Tx,
  runtime: Runtime,
  orgId: string | null,
  action: ActionName,
  entry: AuditEntry = {},
): Promise<string> {
  return writeEvidence(
    tx,
    {
      runtime,
      actor: { id: 'usr_ada', email: 'ada@example.com', role: 'admin', impersonatorId: null },
      authority: { org: orgId === null ? null : ({ id: orgId } as never) },
      request: { requestId: 'req-1', traceId: null, ip: '192.0.2.7', userAgent: 'test/1' },
      nowMs: runtime.clock.now(),
    },
    action,
    entry,
  )
}
