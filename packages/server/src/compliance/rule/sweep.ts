/** Removes deleted rules and policies whose time to be restored is over. */
import { asc, lte } from 'drizzle-orm'
import { defineJob, defineSchedule } from '../../runtime/jobs/define.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { removePolicy } from '../policy/manage.js'
import { complianceTables } from '../tables.js'
import { removeRule } from './restore.js'

const EVERY_MS = 6 * 3_600_000
const BATCH = 500

export const sweepRulesJob = defineJob({
  kind: 'compliance.purge-rules',
  payload: strictObject({}),
  audit: ['compliance.rule.purge', 'compliance.policy.purge'],
  concurrency: 1,
  async run({ nowMs, signal, write }) {
    for (let gone = BATCH; gone === BATCH && !signal.aborted; ) {
      gone = await write(async ({ tx, audit }) => {
        const { rules: t } = complianceTables(tx)
        const due = await tx
          .select({ id: t.id, orgId: t.orgId, name: t.name })
          .from(t)
          .where(lte(t.purgeAfterMs, nowMs))
          .orderBy(asc(t.purgeAfterMs), asc(t.id))
          .limit(BATCH)
        for (const rule of due) {
          await removeRule(tx, rule)
          await audit('compliance.rule.purge', {
            orgId: rule.orgId,
            targetType: 'rule',
            targetId: rule.id,
            details: { name: rule.name },
          })
        }
        return due.length
      })
    }
    for (let gone = BATCH; gone === BATCH && !signal.aborted; ) {
      gone = await write(async ({ tx, audit }) => {
        const { policies: t } = complianceTables(tx)
        const due = await tx
          .select({ id: t.id, orgId: t.orgId, name: t.name })
          .from(t)
          .where(lte(t.purgeAfterMs, nowMs))
          .orderBy(asc(t.purgeAfterMs), asc(t.id))
          .limit(BATCH)
        for (const policy of due) {
          await removePolicy(tx, policy)
          await audit('compliance.policy.purge', {
            orgId: policy.orgId,
            targetType: 'policy',
            targetId: policy.id,
            details: { name: policy.name },
          })
        }
        return due.length
      })
    }
  },
})

export const sweepRulesSchedule = defineSchedule({
  name: sweepRulesJob.kind,
  kind: sweepRulesJob.kind,
  everyMs: EVERY_MS,
  payload: {},
})
