/** Tells parked events in the transaction that registers their pipeline. */
import type { Runtime } from '../../runtime/operation/context.js'
import type { RegistrationListener } from '../../runtime/records/deployed-pipelines.js'
import { defaultRetention, keptFrom } from '../retention.js'
import { replayParked } from './park.js'

export const registrationListener = (runtime: Runtime): RegistrationListener => ({
  async registered(tx, orgId, pipelineId, nowMs) {
    const keptFromMs = keptFrom(defaultRetention(runtime).eventDays, nowMs)
    await replayParked(tx, [pipelineId], pipelineId, { orgId, parkedIn: orgId, nowMs, keptFromMs })
  },
})
