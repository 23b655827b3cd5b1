/** What each organization of an account uses: for a metered type in the running period, for any other type now. */
import { type QuotaType, quotaTypes } from '@plumbline/billing-core'
import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm'
import { identityTables } from '../../identity/tables.js'
import { notFound } from '../../runtime/errors.js'
import type { Runtime } from '../../runtime/operation/context.js'
import type { Db } from '../../runtime/store/db.js'
import type { UsedByType } from '../usage/read.js'
import { readQuotaViews } from './read.js'

export interface TeamUsage {
  readonly orgId: string
  readonly name: string
  /** The account itself: its use includes that of teams that no longer exist. */
  readonly isRoot: boolean
  readonly members: number
  readonly used: UsedByType
}

export interface UsageByTeam {
  readonly periodStart: string
  readonly periodEnd: string
  /** The account first, then its teams, the oldest first. */
  readonly teams: readonly TeamUsage[]
  readonly total: UsedByType
}

/** The use of the organizations adds up to the total. @throws Refusal 404 for an account that does not exist. */
export async function usageByTeam(
  runtime: Pick<Runtime, 'settings' | 'domains'>,
  db: Db,
  rootOrgId: string,
  nowMs: number,
): Promise<UsageByTeam> {
  const { organizations: t } = identityTables(db)
  const rows = await db
    .select()
    .from(t)
    .where(and(eq(t.rootOrgId, rootOrgId), isNull(t.deletedAtMs)))
    .orderBy(asc(t.createdAtMs), asc(t.id))
  const orgs = [...rows.filter(({ id }) => id === rootOrgId), ...rows.filter(({ id }) => id !== rootOrgId)]
  const [root, ...teams] = await readQuotaViews(runtime, db, orgs, nowMs)
  if (root === undefined || root.orgId !== rootOrgId) throw notFound('Organization')
  const members = await membersOf(
    db,
    orgs.map(({ id }) => id),
  )
  const byType = (of: (type: QuotaType) => number) =>
    Object.fromEntries(quotaTypes.map((type) => [type, of(type)])) as UsedByType
  const total = byType((type) => root.quotas[type].used)
  const ofTeams = teams.map(({ orgId, name, quotas }) => ({
    orgId,
    name,
    isRoot: false,
    members: members.get(orgId) ?? 0,
    used: byType((type) => quotas[type].team?.used ?? 0),
  }))
  const rest = byType((type) => Math.max(0, total[type] - ofTeams.reduce((sum, { used }) => sum + used[type], 0)))
  const own = { orgId: root.orgId, name: root.name, isRoot: true, members: members.get(rootOrgId) ?? 0, used: rest }
  return { periodStart: root.periodStart, periodEnd: root.periodEnd, teams: [own, ...ofTeams], total }
}

async function membersOf(db: Db, orgIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const { memberships: m, users: u } = identityTables(db)
  const rows = await db
    .select({ orgId: m.orgId, count: sql<number>`count(*)`.mapWith(Number) })
    .from(m)
    .innerJoin(u, eq(u.id, m.userId))
    .where(and(inArray(m.orgId, [...orgIds]), eq(m.isActive, true), eq(u.isActive, true)))
    .groupBy(m.orgId)
  return new Map(rows.map(({ orgId, count }) => [orgId, count]))
}
