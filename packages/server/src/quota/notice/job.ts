/** Says that a quota is nearly or wholly used up: `quota.threshold` in the evidence, a message in the inbox. */
import Type from 'typebox'
import { defineJob } from '../../runtime/jobs/define.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { noticeMessage } from '../../runtime/records/notice.js'
import { KINDS } from '../limit/kinds.js'
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
  async run({ job, finish }, { type, limit, used, threshold }) {
    const { orgId } = job
    if (orgId === null) return
    const isFull = threshold >= 100
    const then = isFull
      ? KINDS[type] === 'capacity'
        ? 'No more can be made until some are deleted or the plan is upgraded.'
        : 'Further use is refused until the period ends or the plan is upgraded.'
      : 'At 100 percent further use is refused.'
    await finish(async ({ audit, enqueue }) => {
      await audit('quota.threshold', {
        orgId,
        affectedOrgId: orgId,
        targetType: 'quota',
        targetId: type,
        details: { quotaType: type, threshold, used, limit },
      })
      await enqueue(
        noticeMessage({
          recipientOrgId: orgId,
          recipientUserId: null,
          subject: isFull ? `Quota used up: ${type}` : `Quota at ${threshold} percent: ${type}`,
          content: `${used} of ${limit} ${type} are used. ${then}`,
          priority: isFull ? 'high' : 'normal',
          channel: 'quota',
        }),
      )
    })
  },
})
