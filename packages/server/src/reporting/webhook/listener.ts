/** Stores parked events in the transaction that registers their pipeline. */
import type { Runtime } from '../../runtime/operation/context.js'
import type { RegistrationListener } from '../../runtime/records/deployed-pipelines.js'
import { replaySource } from '../delivery/take.js'
import { replayParked } from '../parked/park.js'
import { keptFrom, retentionOfOrg } from '../retention.js'
import { sourcesOf } from '../source/record.js'

export const registrationListener = (runtime: Runtime): RegistrationListener => ({
  async registered(tx, orgId, pipelineId, nowMs) {
    const keptFromMs = keptFrom((await retentionOfOrg(tx, runtime, orgId, nowMs)).eventDays, nowMs)
    await replayParked(tx, [pipelineId], pipelineId, { orgId, parkedIn: orgId, nowMs, keptFromMs })
    for (const source of await sourcesOf(tx, orgId)) await replaySource(tx, { runtime, source, nowMs })
  },
})
