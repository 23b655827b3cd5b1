/** Reports that a quota is nearly or fully used: writes the audit event `quota.threshold` and sends a notification. */
import Type from 'typebox'
import { defineJob } from '../../runtime/jobs/define.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { announce } from '../../runtime/records/notification.js'
import { QuotaTypeName } from '../type-name.js'

export const NEAR_LIMIT_JOB = 'quota.near-limit'

export const nearLimitJob = defineJob({
  kind: NEAR_LIMIT_JOB,
  payload: strictObject({
    type: QuotaTypeName,
    limit: Type.Integer(),
    used: Type.Integer(),
    threshold: Type.Integer(),
  }),
  audit: ['quota.threshold'],
  async run({ job, finish, nowMs }, { type, limit, used, threshold }) {
    const { orgId } = job
    if (orgId === null) return
    await finish(async ({ audit, enqueue }) => {
      await audit('quota.threshold', {
        orgId,
        affectedOrgId: orgId,
        targetType: 'quota',
        targetId: type,
        details: { quotaType: type, threshold, used, limit },
      })
      await enqueue(
        announce(orgId, {
          event: 'quota.threshold',
          onceKey: `quota:${job.id}`,
          priority: threshold >= 100 ? 'high' : 'normal',
          relatedCheckId: null,
          occurredAtMs: nowMs,
          fields: { quotaType: type, threshold, used, limit },
        }),
      )
    })
  },
})
