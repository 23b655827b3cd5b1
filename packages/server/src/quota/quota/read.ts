/** Reads the limits and the use of several organizations in a fixed number of queries, however many they are. */
import { type QuotaType, quotaTypes, type Tier } from '@plumbline/billing-core'
import { and, eq, inArray, isNull } from 'drizzle-orm'
import { countSeatsOf, featuresOf, type OrganizationRow, type SeatCount, seatsAllowed } from '../../identity/index.js'
import { identityTables } from '../../identity/tables.js'
import { toIso } from '../../runtime/clock.js'
import { notFound } from '../../runtime/errors.js'
import type { Runtime } from '../../runtime/operation/context.js'
import type { Db } from '../../runtime/store/db.js'
import { effectiveLimit, limitedTier, type SetLimit, UNLIMITED } from '../limit/effective.js'
import { isoOrNull, remainingOf } from '../limit/exceeded.js'
import { KINDS } from '../limit/kinds.js'
import { type Period, periodOf } from '../limit/period.js'
import { NOTHING_SET, type SetLimits } from '../limit/set.js'
import { quotaTables } from '../tables.js'
import { usedByOrg } from '../usage/by-org.js'
import type { QuotaEntry, QuotaView } from './schema.js'

type Reading = Pick<Runtime, 'settings' | 'domains'>
type Used = ReadonlyMap<QuotaType, number>

/** @throws Refusal 404 for an organization that does not exist or is deleted. */
export async function readQuotaView(runtime: Reading, db: Db, orgId: string, nowMs: number): Promise<QuotaView> {
  const { organizations } = identityTables(db)
  const rows = await db
    .select()
    .from(organizations)
    .where(and(eq(organizations.id, orgId), isNull(organizations.deletedAtMs)))
  const [view] = await readQuotaViews(runtime, db, rows, nowMs)
  if (view === undefined) throw notFound('Organization')
  return view
}

/** The views, in the order of the rows. */
export async function readQuotaViews(
  runtime: Reading,
  db: Db,
  orgs: readonly OrganizationRow[],
  nowMs: number,
): Promise<QuotaView[]> {
  if (orgs.length === 0) return []
  const { settings } = runtime
  const rootIds = [...new Set(orgs.map(({ rootOrgId }) => rootOrgId))]
  const { organizations } = identityTables(db)
  const members = await db
    .select()
    .from(organizations)
    .where(and(inArray(organizations.rootOrgId, rootIds), isNull(organizations.deletedAtMs)))
  const set = await readSets(db, [...new Set([...rootIds, ...orgs.map(({ id }) => id)])])
  const live = await usedByOrg(
    runtime.domains,
    db,
    members.map(({ id }) => id),
  )
  const seats = await countSeatsOf(db, rootIds, nowMs)
  const accounts = new Map<string, Account>()
  for (const root of members.filter(({ id, rootOrgId }) => id === rootOrgId)) {
    const tier = limitedTier(root, settings)
    const used = new Map<QuotaType, number>()
    for (const { id } of members.filter(({ rootOrgId }) => rootOrgId === root.id)) {
      for (const [type, count] of live.get(id) ?? []) used.set(type, (used.get(type) ?? 0) + count)
    }
    accounts.set(root.id, { root, tier, period: periodOf(settings, tier, nowMs), used, seats: seats.get(root.id) })
  }
  await addMetered(db, orgs, accounts, live)
  return orgs.flatMap((org) => {
    const account = accounts.get(org.rootOrgId)
    if (account === undefined) return []
    return [viewOf(runtime, org, account, live.get(org.id) ?? new Map(), set)]
  })
}

interface Account {
  readonly root: OrganizationRow
  readonly tier: Tier
  readonly period: Period
  readonly used: Map<QuotaType, number>
  readonly seats: SeatCount | undefined
}

async function readSets(db: Db, orgIds: readonly string[]): Promise<ReadonlyMap<string, SetLimits>> {
  const { quotaLimits: t } = quotaTables(db)
  const rows = await db
    .select()
    .from(t)
    .where(inArray(t.orgId, [...orgIds]))
  const sets = new Map<string, Map<QuotaType, SetLimit>>()
  for (const { orgId, type, override, granted } of rows) {
    const ofOrg = sets.get(orgId) ?? new Map<QuotaType, SetLimit>()
    sets.set(orgId, ofOrg.set(type as QuotaType, { override, granted }))
  }
  return sets
}

/** Adds the counters of each account's running period, and the teams' own shares of them. */
async function addMetered(
  db: Db,
  orgs: readonly OrganizationRow[],
  accounts: ReadonlyMap<string, Account>,
  live: Map<string, Map<QuotaType, number>>,
): Promise<void> {
  const { quotaPools, quotaCounters } = quotaTables(db)
  const starts = [...new Set([...accounts.values()].map(({ period }) => period.startMs))]
  const roots = new Map(orgs.map(({ id, rootOrgId }) => [id, rootOrgId]))
  for (const { orgId, type, periodStartMs, used } of await db
    .select()
    .from(quotaPools)
    .where(and(inArray(quotaPools.orgId, [...accounts.keys()]), inArray(quotaPools.periodStartMs, starts)))) {
    const account = accounts.get(orgId)
    if (account?.period.startMs === periodStartMs) account.used.set(type as QuotaType, used)
  }
  const teams = orgs.filter(({ parentOrgId }) => parentOrgId !== null).map(({ id }) => id)
  if (teams.length === 0) return
  for (const { orgId, type, periodStartMs, used } of await db
    .select()
    .from(quotaCounters)
    .where(and(inArray(quotaCounters.orgId, teams), inArray(quotaCounters.periodStartMs, starts)))) {
    if (accounts.get(roots.get(orgId) ?? '')?.period.startMs !== periodStartMs) continue
    const own = live.get(orgId) ?? new Map<QuotaType, number>()
    live.set(orgId, own.set(type as QuotaType, used))
  }
}

function viewOf(
  { settings }: Reading,
  org: OrganizationRow,
  { root, tier, period, used, seats }: Account,
  own: Used,
  sets: ReadonlyMap<string, SetLimits>,
): QuotaView {
  const isTeam = org.id !== root.id
  const entry = (type: QuotaType): QuotaEntry => {
    const pool = effectiveLimit(settings, tier, type, sets.get(root.id)?.get(type) ?? NOTHING_SET)
    const state = { limit: pool.limit, used: used.get(type) ?? 0 }
    const team = isTeam ? { limit: sets.get(org.id)?.get(type)?.override ?? UNLIMITED, used: own.get(type) ?? 0 } : null
    return {
      ...state,
      remaining: tightest(remainingOf(state), team === null ? UNLIMITED : remainingOf(team)),
      unlimited: pool.limit === UNLIMITED && (team === null || team.limit === UNLIMITED),
      kind: KINDS[type],
      resetAt: isoOrNull(KINDS[type] === 'metered' ? period.endMs : null),
      baseline: pool.baseline,
      addons: pool.addons,
      override: pool.override,
      team,
    }
  }
  const seatLimit = seatsAllowed(root, settings)
  const seatsUsed = seats?.used ?? 0
  return {
    orgId: org.id,
    name: org.name,
    slug: org.slug,
    tier,
    accountOrgId: root.id,
    revision: root.revision,
    pooled: isTeam,
    periodStart: toIso(period.startMs),
    periodEnd: toIso(period.endMs),
    quotas: Object.fromEntries(quotaTypes.map((type) => [type, entry(type)])) as QuotaView['quotas'],
    seats: {
      limit: seatLimit,
      used: seatsUsed,
      pending: seats?.pending ?? 0,
      remaining: remainingOf({ limit: seatLimit, used: seatsUsed }),
    },
    features: [...featuresOf(root, settings)].sort(),
  }
}

const tightest = (a: number, b: number): number => (a < 0 ? b : b < 0 ? a : Math.min(a, b))
