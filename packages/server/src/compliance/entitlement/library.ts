/**
 * Subscriptions that an organization gets without asking: the starter rules when it is created, and the sets of its
 * tier.
 */
import { libraries } from '@plumbline/rules'
import { and, eq, inArray, isNull } from 'drizzle-orm'
import { liveTeamIds } from '../../identity/index.js'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import { outsideRequest, writeEvidence } from '../../runtime/jobs/evidence.js'
import type { RuleLibraryPort } from '../../runtime/records/rule-library.js'
import { SETS } from '../rule/publish.js'
import { insertSubscriptions, newSubscription } from '../subscription/write.js'
import { complianceTables } from '../tables.js'
import { followSets } from './sets.js'

const TEAMS_AT_ONCE = 100

export const ruleLibrary: RuleLibraryPort = {
  async begin(tx, runtime, { orgId, createdBy }) {
    const { rules: t } = complianceTables(tx)
    const names = libraries.starter.map(({ rule }) => rule.name)
    const starter = await tx
      .select({ id: t.id })
      .from(t)
      .where(and(eq(t.orgId, SYSTEM_ORG_ID), eq(t.scope, 'published'), isNull(t.deletedAtMs), inArray(t.name, names)))
    if (starter.length === 0) return
    const writing = { ...outsideRequest(runtime, createdBy ?? 'system'), tx, enqueue: nothingActive }
    const each = { orgId, source: 'auto', isActive: false, by: createdBy } as const
    await insertSubscriptions(
      writing,
      starter.map(({ id }) => newSubscription(runtime, { ...each, ruleId: id }, writing.nowMs)),
    )
    await writeEvidence(tx, writing, 'compliance.subscription.create', {
      orgId,
      targetType: 'organization',
      targetId: orgId,
      details: { reason: `${starter.length} starter rules` },
    })
  },

  async follow(context, { rootOrgId, before, after }) {
    const of = (features: ReadonlySet<string>) => SETS.filter((name) => features.has(`compliance_${name}`))
    const [held, sets] = [of(before), of(after)]
    if (held.join() === sets.join()) return
    await followSets(context, rootOrgId, held, sets)
    for (let behind: string | undefined = ''; behind !== undefined; ) {
      const teams: string[] = await liveTeamIds(context.tx, rootOrgId, behind, TEAMS_AT_ONCE)
      for (const orgId of teams) await followSets(context, orgId, held, sets)
      behind = teams.length < TEAMS_AT_ONCE ? undefined : teams.at(-1)
    }
  },
}

/** An inactive subscription changes no rule in force, so no scan follows. */
const nothingActive = (): Promise<void> =>
  Promise.reject(new Error('a subscription that begins inactive queues nothing'))
