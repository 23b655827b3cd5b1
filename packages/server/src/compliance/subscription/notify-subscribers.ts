/** Notifies the subscribers of a published rule of its change, each by a message in the inbox (spec compliance 6). */
import { and, asc, eq, gt, isNull } from 'drizzle-orm'
import Type from 'typebox'
import { defineJob } from '../../runtime/jobs/define.js'
import { none } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { announce } from '../../runtime/records/notification.js'
import { KIND } from '../follow-up/subscribers.js'
import { announcementOfRuleChange } from '../notice/event.js'
import { complianceTables } from '../tables.js'

const BATCH = 500

export const tellSubscribersJob = defineJob({
  kind: KIND,
  payload: strictObject({
    ruleId: Type.String(),
    ruleName: Type.String(),
    version: Type.Integer(),
    changeType: Type.Enum(['updated', 'deleted']),
  }),
  audit: none('the change itself is in the trail'),
  async run({ signal, write, nowMs }, { ruleId, ruleName, version, changeType }) {
    // Sent once for each version, also when this job runs again: the notification has a key.
    const announcement = announcementOfRuleChange({ id: ruleId, name: ruleName, version }, changeType, nowMs)
    for (let after: string | null = ''; after !== null && !signal.aborted; ) {
      const behind: string = after
      after = await write(async ({ tx, enqueue }) => {
        const { subscriptions: t } = complianceTables(tx)
        const page = await tx
          .select({ id: t.id, orgId: t.orgId })
          .from(t)
          .where(and(eq(t.ruleId, ruleId), isNull(t.unsubscribedAtMs), gt(t.id, behind)))
          .orderBy(asc(t.id))
          .limit(BATCH)
        for (const { orgId } of page) {
          await enqueue(announce(orgId, announcement))
        }
        return page.length < BATCH ? null : (page.at(-1)?.id ?? null)
      })
    }
  },
})
