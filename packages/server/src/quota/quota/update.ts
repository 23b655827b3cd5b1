/** `PUT /quotas/:orgId`: the tier of an account, its limits set by hand, and those of its teams. */
import { type QuotaType, quotaTypes, tiers } from '@plumbline/billing-core'
import { and, eq } from 'drizzle-orm'
import Type from 'typebox'
import { changeTier, dropStale, type OrganizationRow, refuseOverages, seatOverages } from '../../identity/index.js'
import { identityTables } from '../../identity/tables.js'
import { type FieldIssue, invalid, invalidField } from '../../runtime/errors.js'
import { systemAdmin } from '../../runtime/operation/access.js'
import { callMeterPort } from '../../runtime/operation/call-meter.js'
import { changed, unchanged, type WriteContext } from '../../runtime/operation/context.js'
import { command, fromPath } from '../../runtime/operation/operation.js'
import { nullable, strictObject } from '../../runtime/operation/schema.js'
import { findPort } from '../../runtime/port.js'
import type { Overage } from '../../runtime/records/capacity.js'
import type { Tx } from '../../runtime/store/db.js'
import { updateRow } from '../../runtime/store/prepared.js'
import { accountOrgIds } from '../account/limit.js'
import { limitedTier, UNLIMITED } from '../limit/effective.js'
import { periodOf } from '../limit/period.js'
import { NOTHING_SET, readSetLimits, type SetLimits } from '../limit/set.js'
import { quotaTables } from '../tables.js'
import { accountOverages } from '../usage/overages.js'
import { usedByTeam } from '../usage/read.js'
import { lockedRoot } from './account-root.js'
import { readQuotaView } from './read.js'
import { QuotaView } from './schema.js'
import { ACCOUNT_WIDE } from './view.js'

const LIMIT_MAX = Number.MAX_SAFE_INTEGER
const SetLimit = nullable(Type.Integer({ minimum: -1, maximum: LIMIT_MAX }))
const Limits = Type.Partial(
  Type.Object(Object.fromEntries(quotaTypes.map((type) => [type, SetLimit])) as Record<QuotaType, typeof SetLimit>),
  { additionalProperties: false, minProperties: 1 },
)

type Changes = Partial<Record<QuotaType, number | null>>

export const updateQuotas = command({
  name: 'quota.quota.update',
  summary: 'Set the tier and the limits of an account',
  description:
    'Null removes a limit: baseline and add-ons apply again. `teams` sets limits of teams within those of the account.',
  http: { method: 'put', path: '/quotas/:orgId' },
  access: systemAdmin(),
  tenant: fromPath('orgId'),
  acrossOrganizations: ACCOUNT_WIDE,
  audit: ['admin.org.tier.update', 'admin.org.quota.override', 'quota.limit.update'],
  input: {
    path: Type.Object({ orgId: Type.String() }),
    body: strictObject(
      {
        tier: Type.Optional(Type.Enum([...tiers])),
        quotas: Type.Optional(Limits),
        teams: Type.Optional(Type.Record(Type.String(), Limits, { minProperties: 1, maxProperties: 200 })),
        force: Type.Optional(Type.Boolean({ description: 'Even below the current usage' })),
      },
      { minProperties: 1 },
    ),
  },
  output: strictObject({ quota: QuotaView }),
  errors: ['CONFLICT', 'NOT_FOUND', 'TIER_OVER_CAP', 'VALIDATION_ERROR'],
  async run(context, { body }) {
    const { tier, quotas = {}, teams = {}, force = false } = body
    if (tier === undefined && body.quotas === undefined && body.teams === undefined) {
      throw invalidField('/body', 'needs one of tier, quotas, teams', 'required')
    }
    const { tx, runtime, nowMs } = context
    const root = await lockedRoot(context)
    context.checkRevision(root.revision)
    await checkTeams(tx, root, Object.keys(teams))
    const before = await readSetLimits(tx, root.id)
    // guard: a-limit-below-the-use
    if (!force) await checkUse(context, root, { tier: tier ?? root.tier, set: withChanges(before, quotas) }, teams)
    let areLimitsChanged = false
    const isTierChanged = tier !== undefined && tier !== root.tier
    if (isTierChanged) {
      // `force`, because the use was compared above, with the limits that this request also sets.
      await changeTier(tx, runtime, root, tier, { nowMs, force: true })
      dropStale(context, { orgId: root.id })
      await context.audit('admin.org.tier.update', {
        targetType: 'organization',
        targetId: root.id,
        affectedOrgId: root.id,
        details: { fromTier: root.tier, toTier: tier, force },
      })
    }
    for (const [orgId, wanted] of [[root.id, quotas] as const, ...Object.entries(teams)]) {
      const set = orgId === root.id ? before : await readSetLimits(tx, orgId)
      const changes = differences(set, wanted)
      if (Object.keys(changes).length === 0) continue
      areLimitsChanged = true
      await store(tx, orgId, set, changes, nowMs)
      await context.audit('admin.org.quota.override', {
        targetType: 'organization',
        targetId: orgId,
        affectedOrgId: orgId,
        details: { limits: changes, force },
      })
      for (const [quotaType, limit] of Object.entries(changes)) {
        await context.audit('quota.limit.update', {
          targetType: 'organization',
          targetId: orgId,
          affectedOrgId: orgId,
          details: { quotaType, limit, previous: set.get(quotaType as QuotaType)?.override ?? null },
        })
      }
    }
    const isChanged = isTierChanged || areLimitsChanged
    // guard: limits-raise-the-revision
    if (areLimitsChanged && !isTierChanged) await raiseRevision(tx, root, nowMs)
    if (isChanged) tx.afterCommit(() => findPort(runtime, callMeterPort)?.forget(root.id))
    const data = { quota: await readQuotaView(runtime, tx, root.id, nowMs) }
    return isChanged ? changed(data) : unchanged(data)
  },
})

/** The limits of an account count as its own: a change that read those of before is refused. A tier raises it as well. */
async function raiseRevision(tx: Tx, root: OrganizationRow, nowMs: number): Promise<void> {
  const { organizations } = identityTables(tx)
  await updateRow(tx, organizations, root.id, { revision: root.revision + 1, updatedAtMs: nowMs })
}

/** @throws Refusal 400 that names each id that is not a live team of the account. */
async function checkTeams(tx: Tx, root: OrganizationRow, teamIds: readonly string[]): Promise<void> {
  if (teamIds.length === 0) return
  const known = new Set(await accountOrgIds(tx, root.id))
  const issues = teamIds.flatMap((id): FieldIssue[] =>
    // guard: limits-of-teams-are-those-of-the-accounts-teams
    known.has(id) && id !== root.id
      ? []
      : [{ path: `/body/teams/${id}`, message: 'is not a team of this account', code: 'unknown_team' }],
  )
  if (issues.length > 0) throw invalid(issues)
}

/** @throws Refusal 409 `TIER_OVER_CAP` with every limit that the use exceeds. */
async function checkUse(
  { tx, runtime, nowMs }: WriteContext,
  root: OrganizationRow,
  next: { readonly tier: string; readonly set: SetLimits },
  teams: Readonly<Record<string, Changes>>,
): Promise<void> {
  const overages: (Overage & { readonly orgId?: string })[] = []
  if (next.tier !== root.tier) overages.push(...(await seatOverages(tx, runtime, root, next.tier, nowMs)))
  overages.push(...(await accountOverages(runtime, tx, root.id, next)))
  const { startMs } = periodOf(runtime.settings, limitedTier(root, runtime.settings), nowMs)
  for (const [orgId, wanted] of Object.entries(teams)) {
    const used = await usedByTeam(runtime.domains, tx, orgId, startMs)
    for (const [type, targetCap] of Object.entries(wanted) as [QuotaType, number | null][]) {
      const currentUsage = used[type]
      if (targetCap === null || targetCap === UNLIMITED || currentUsage <= targetCap) continue
      overages.push({ quotaType: type, currentUsage, targetCap, overage: currentUsage - targetCap, orgId })
    }
  }
  refuseOverages(next.tier === root.tier ? 'what is set' : next.tier, overages)
}

function withChanges(set: SetLimits, changes: Changes): SetLimits {
  const next = new Map(set)
  for (const [type, override] of Object.entries(changes) as [QuotaType, number | null][]) {
    next.set(type, { ...(set.get(type) ?? NOTHING_SET), override })
  }
  return next
}

/** The changes in the body that differ from what is stored. */
const differences = (set: SetLimits, wanted: Changes): Changes =>
  Object.fromEntries(
    (Object.entries(wanted) as [QuotaType, number | null][]).filter(
      ([type, override]) => (set.get(type) ?? NOTHING_SET).override !== override,
    ),
  )

async function store(tx: Tx, orgId: string, set: SetLimits, changes: Changes, nowMs: number): Promise<void> {
  const { quotaLimits: t } = quotaTables(tx)
  for (const [type, override] of Object.entries(changes) as [QuotaType, number | null][]) {
    const { granted } = set.get(type) ?? NOTHING_SET
    if (override === null && granted === 0) {
      await tx.delete(t).where(and(eq(t.orgId, orgId), eq(t.type, type)))
      continue
    }
    await tx
      .insert(t)
      .values({ orgId, type, override, granted, updatedAtMs: nowMs })
      .onConflictDoUpdate({ target: [t.orgId, t.type], set: { override, updatedAtMs: nowMs } })
  }
}
