/** Stores parked events in the transaction that decides whose they are. */
import type { Runtime } from '../../runtime/operation/context.js'
import type { RegistrationListener } from '../../runtime/records/deployed-pipelines.js'
import type { Tx } from '../../runtime/store/db.js'
import { accountOf } from '../account.js'
import { replaySource } from '../delivery/take.js'
import { OF_FORWARDERS, replayParked } from '../parked/park.js'
import { keptFrom, retentionOfOrg } from '../retention.js'
import { sourcesOf } from '../source/record.js'

export const registrationListener = (runtime: Runtime): RegistrationListener => ({
  async registered(tx, orgId, pipelineId, nowMs) {
    const keptFromMs = keptFrom((await retentionOfOrg(tx, runtime, orgId, nowMs)).eventDays, nowMs)
    // A forwarder of the root also sends the events of its teams: those of unknown pipelines wait at the root.
    for (const parkedIn of await accountOf(tx, orgId)) {
      const parked = { orgId: parkedIn, sourceId: OF_FORWARDERS, ref: pipelineId }
      await replayParked(tx, parked, pipelineId, { orgId, nowMs, keptFromMs })
    }
    await replaySources(tx, runtime, orgId, nowMs)
  },
  rebuilt: (tx, orgId, nowMs) => replaySources(tx, runtime, orgId, nowMs),
})

async function replaySources(tx: Tx, runtime: Runtime, orgId: string, nowMs: number): Promise<void> {
  for (const source of await sourcesOf(tx, orgId)) await replaySource(tx, { runtime, source, nowMs })
}
