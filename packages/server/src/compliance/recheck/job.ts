/** The job `compliance.recheck`: checks the changed record of one event, under the tenant of the event. */
import Type from 'typebox'
import { tenantKeyOf } from '../../identity/index.js'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import { defineJob, PermanentFailure } from '../../runtime/jobs/define.js'
import type { Runtime } from '../../runtime/operation/context.js'
import { none } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { RECHECK_JOB } from '../../runtime/records/entity.js'
import { announceCheck } from '../notice/announce.js'
import type { Held } from '../rule-stamp.js'
import { evaluateEvent, recordEvent } from './recheck.js'

const Payload = strictObject({
  eventId: Type.String(),
  orgId: Type.String(),
  target: Type.Enum(['plugin', 'pipeline']),
  entityId: Type.String(),
  eventType: Type.Enum(['created', 'updated', 'deleted', 'restored']),
  userId: Type.String(),
  timestampMs: Type.Integer(),
})

const ATTEMPTS_MAX = 5
const BACKOFF_MS = 2000

export const recheckJob = defineJob({
  kind: RECHECK_JOB,
  payload: Payload,
  audit: none('the check log is the record of a check'),
  concurrency: 4,
  attemptsMax: ATTEMPTS_MAX,
  backoffMs: BACKOFF_MS,
  async run({ runtime, job, nowMs, read, finish }, event) {
    // guard: an-event-works-under-the-organization-of-its-job
    if (job.orgId !== event.orgId) throw new PermanentFailure('the event is of another organization than its job')
    const held = await heldByJob(runtime, event.orgId)
    const rechecked = await read((db) => evaluateEvent(db, runtime, held, event, nowMs))
    await finish(async ({ tx, enqueue }) => {
      const recorded = await recordEvent(tx, runtime, rechecked, nowMs)
      if (recorded === false || !recorded.isNews || rechecked.row === null) return
      const told = await announceCheck(tx, runtime, rechecked.row)
      if (told !== null) await enqueue(told)
    })
  },
})

/** Which organizations' rules apply to the organization of a job. */
export async function heldByJob({ store }: Pick<Runtime, 'store'>, orgId: string): Promise<Held> {
  const key = await tenantKeyOf(store, orgId)
  if (key === null) throw new PermanentFailure('the organization is gone')
  return { orgId, parentOrgId: key.readableOrgIds.find((id) => id !== SYSTEM_ORG_ID) ?? null }
}
