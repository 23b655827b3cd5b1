/** Evidence of what the server does by itself. */
import type { EvidenceSource } from '../../runtime/jobs/evidence.js'
import type { Runtime } from '../../runtime/operation/context.js'

export const asSystem = (runtime: Runtime): EvidenceSource => ({
  runtime,
  actor: { id: 'system', email: null, role: null, impersonatorId: null },
  authority: { org: null },
  request: { requestId: runtime.ids.next(), traceId: null, ip: null, userAgent: null },
  nowMs: runtime.clock.now(),
})
