/**
 * Scans stored records again after a rule changed: one scan for each organization and target, half a minute after the
 * first of several changes. The scans of the subscribers of a published rule are spread over ten minutes (spec
 * compliance 10).
 */
import { and, asc, eq, gt, isNull } from 'drizzle-orm'
import Type from 'typebox'
import { liveTeamIds } from '../../identity/index.js'
import { defineJob, type JobWrite } from '../../runtime/jobs/define.js'
import { none } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { DEBOUNCE_MS, later, RESCAN, SPREAD } from '../follow-up/rescans.js'
import { Target } from '../rule/schema.js'
import { complianceTables } from '../tables.js'
import { openScan } from './open.js'

const SPREAD_MS = 600_000

const BATCH = 500

export const rescanJob = defineJob({
  kind: RESCAN,
  payload: strictObject({ orgId: Type.String(), target: Target }),
  audit: ['compliance.scan.create'],
  async run({ runtime, finish }, { orgId, target }) {
    await finish(async (write) => {
      const wanted = { orgId, target, userId: null, filter: null, dryRun: false, slotKey: null } as const
      const scan = await openScan(runtime, write, { ...wanted, triggeredBy: 'rule-change' })
      // The running scan may already be past the records that the change affects, so another scan follows it.
      if (scan === null) await write.enqueue(later(orgId, target, write.nowMs + DEBOUNCE_MS))
      else await auditScan(write, scan.id, target)
    })
  },
})

const auditScan = ({ audit }: JobWrite<'compliance.scan.create'>, id: string, target: string) =>
  audit('compliance.scan.create', {
    targetType: 'scan',
    targetId: id,
    details: { id, name: target, reason: 'rule-change' },
  })

/** Queues a scan for each team of an organization, or for each subscriber of a published rule. */
export const rescanOthersJob = defineJob({
  kind: SPREAD,
  payload: strictObject({
    ruleId: Type.String(),
    orgId: Type.String(),
    reach: Type.Enum(['teams', 'subscribers']),
    target: Target,
  }),
  audit: none('each scan that follows is in the trail of its organization'),
  async run({ write, signal }, { ruleId, orgId, reach, target }) {
    for (let after: string | null = ''; after !== null && !signal.aborted; ) {
      const behind: string = after
      after = await write(async ({ tx, nowMs, enqueue }) => {
        const page = await (reach === 'teams' ? liveTeamIds(tx, orgId, behind, BATCH) : subscribers(behind))
        for (const each of page)
          await enqueue(later(each, target, nowMs + (reach === 'teams' ? DEBOUNCE_MS : spread(each))))
        return page.length < BATCH ? null : (page.at(-1) ?? null)

        async function subscribers(last: string): Promise<string[]> {
          const { subscriptions: t } = complianceTables(tx)
          const rows = await tx
            .select({ orgId: t.orgId })
            .from(t)
            .where(and(eq(t.ruleId, ruleId), eq(t.isActive, true), isNull(t.unsubscribedAtMs), gt(t.orgId, last)))
            .orderBy(asc(t.orgId))
            .limit(BATCH)
          return rows.map((row) => row.orgId)
        }
      })
    }
  },
})

/** Each organization always gets the same delay within the ten minutes. The last digits of an id are random. */
const spread = (orgId: string): number => Number.parseInt(orgId.slice(-6), 16) % SPREAD_MS
