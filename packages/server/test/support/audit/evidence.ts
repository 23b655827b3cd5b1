/** Writes audit events as operations do, without running an operation. */
import type { ActionName } from '@plumbline/audit-chain'
import { type Clock, systemClock } from '../../../src/runtime/clock.js'
import { createIds } from '../../../src/runtime/ids.js'
import { writeEvidence } from '../../../src/runtime/jobs/evidence.js'
import type { AuditEntry, Runtime } from '../../../src/runtime/operation/context.js'
import type { Store, Tx } from '../../../src/runtime/store/db.js'

export const ORG_A = '0190a1b2-0000-7000-8000-00000000000a'
export const ORG_B = '0190a1b2-0000-7000-8000-00000000000b'

export const auditSettings = {
  AUDIT_LOG_ORIGIN: 'audit.example.com',
  PUBLIC_URL: null,
  AUDIT_CHECKPOINT_KEY: new Uint8Array(32).fill(7),
  AUDIT_CHECKPOINT_DIR: null,
  AUDIT_CHECKPOINT_EVERY: 256,
  AUDIT_CHECKPOINT_INTERVAL_MS: 60_000,
  AUDIT_WITNESS_URL: null,
  AUDIT_WITNESS_KEY: null,
  AUDIT_FORMER_KEYS: null,
  AUDIT_RETENTION_DAYS: 90,
  MAX_PAGE_LIMIT: 1000,
} as unknown as Runtime['settings']

export function runtimeOver(store: Store, clock: Clock = systemClock, onEvidence?: () => void): Runtime {
  return {
    clock,
    ids: createIds(clock),
    store,
    settings: auditSettings,
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
