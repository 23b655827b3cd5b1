/** Tells the subscribers of a published rule that it was changed: a notice in the inbox of each (compliance decisions 6). */
import { and, asc, eq, gt, isNull } from 'drizzle-orm'
import Type from 'typebox'
import { defineJob } from '../../runtime/jobs/define.js'
import type { OutboxMessage } from '../../runtime/operation/context.js'
import { none } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { noticeMessage } from '../../runtime/records/notice.js'
import { complianceTables, type RuleRow } from '../tables.js'

const KIND = 'compliance.rule-change'
const BATCH = 500

/** The work, queued in the transaction of the change. */
export const ruleChange = ({ id, name, version }: RuleRow, changeType: 'updated' | 'deleted'): OutboxMessage => ({
  kind: KIND,
  payload: { ruleId: id, ruleName: name, version, changeType },
})

export const tellSubscribersJob = defineJob({
  kind: KIND,
  payload: strictObject({
    ruleId: Type.String(),
    ruleName: Type.String(),
    version: Type.Integer(),
    changeType: Type.Enum(['updated', 'deleted']),
  }),
  audit: none('the change itself is in the trail'),
  async run({ signal, write }, { ruleId, ruleName, version, changeType }) {
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
          const notice = {
            recipientOrgId: orgId,
            recipientUserId: null,
            subject: `The published rule ${ruleName} was ${changeType}`,
            content:
              changeType === 'updated'
                ? `Version ${version} holds for subscriptions that follow it; pinned ones keep theirs.`
                : 'It is no longer enforced, also where it was pinned.',
            priority: 'normal' as const,
            channel: 'compliance',
          }
          // Once for each version, also when this job is run again.
          await enqueue(noticeMessage(notice, `${KIND}:${ruleId}:${version}:${changeType}:${orgId}`))
        }
        return page.length < BATCH ? null : (page.at(-1)?.id ?? null)
      })
    }
  },
})
