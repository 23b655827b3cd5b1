/**
 * The tier, seats and features of an account: set by a system administrator, or kept in step by the billing service.
 * Both apply to the root, whichever organization of the account is named (platform decisions 14).
 */

import { type Tier, tiers } from '@plumbline/billing-core'
import { eq } from 'drizzle-orm'
import Type from 'typebox'
import { Refusal } from '../../runtime/errors.js'
import { FEATURES, scope, systemAdmin, withStepUp } from '../../runtime/operation/access.js'
import { changed, type Runtime, tenantId, unchanged } from '../../runtime/operation/context.js'
import { command, fromPath } from '../../runtime/operation/operation.js'
import { choice, nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'
import { capacityOf, type Overage } from '../../runtime/records/capacity.js'
import type { Tx } from '../../runtime/store/db.js'
import { organizationPath } from '../paths.js'
import { dropStale } from '../stale.js'
import { identityTables } from '../tables.js'
import { liveOrganization, lockAccount } from './account.js'
import { featuresOf, seatsAllowed } from './entitlements.js'
import type { OrganizationRow } from './insert.js'
import { countSeats } from './seats.js'

const TierName = Type.Enum([...tiers])

/** `PATCH /organization/:id/tier`. */
export const setTier = command({
  name: 'identity.organization.set-tier',
  summary: 'Set the tier of an account',
  description:
    'Rules of a set that the tier gains or loses are switched on or off in each organization of the account.',
  http: { method: 'patch', ...organizationPath('/:id/tier') },
  access: withStepUp(systemAdmin()),
  tenant: fromPath('id'),
  acrossOrganizations: 'the tier is that of the account, and usage is counted over its teams',
  audit: ['admin.org.tier.update', 'compliance.rule.toggle'],
  input: {
    path: Type.Object({ id: Type.String() }),
    body: strictObject({ tier: TierName, force: Type.Optional(Type.Boolean()) }),
  },
  output: strictObject({
    id: Uuid,
    previousTier: Type.String(),
    tier: TierName,
    featuresRemoved: Type.Array(Type.String()),
  }),
  errors: ['CONFLICT', 'NOT_FOUND', 'TIER_OVER_CAP'],
  async run(context, { body }) {
    const { tx, runtime, nowMs } = context
    const { rootOrgId } = await liveOrganization(tx, tenantId(context))
    const root = await lockAccount(tx, rootOrgId)
    const answer = { id: root.id, previousTier: root.tier, tier: body.tier }
    if (root.tier === body.tier) return unchanged({ ...answer, featuresRemoved: [] })
    await changeTier(tx, runtime, root, body.tier, { nowMs, force: body.force ?? false })
    const before = featuresOf(root, runtime.settings)
    const after = featuresOf({ ...root, tier: body.tier }, runtime.settings)
    await runtime.ruleLibrary?.follow(context, { rootOrgId: root.id, before, after })
    dropStale(context, { orgId: root.id })
    tx.afterCommit(() => runtime.callMeter?.forget(root.id))
    await context.audit('admin.org.tier.update', {
      targetType: 'organization',
      targetId: root.id,
      affectedOrgId: root.id,
      details: { fromTier: root.tier, toTier: body.tier, force: body.force ?? false },
    })
    return changed({ ...answer, featuresRemoved: [...before].filter((name) => !after.has(name)).sort() })
  },
})

/**
 * Writes the tier of a root whose row is locked.
 * @throws Refusal `CONFLICT` for `unlimited` while billing is on, `TIER_OVER_CAP` when usage is above the new limits.
 */
export async function changeTier(
  tx: Tx,
  runtime: Runtime,
  root: OrganizationRow,
  tier: Tier,
  { nowMs, force }: { nowMs: number; force: boolean },
): Promise<void> {
  const { BILLING_ENABLED } = runtime.settings
  if (BILLING_ENABLED && tier === 'unlimited') {
    throw new Refusal('CONFLICT', 'the tier unlimited is not given while billing is on: choose another one')
  }
  // Without billing, tier limits are not enforced, so no usage is above one.
  if (BILLING_ENABLED && !force) await checkCaps(tx, runtime, root, tier, nowMs)
  const { organizations } = identityTables(tx)
  await tx
    .update(organizations)
    .set({ tier, revision: root.revision + 1, updatedAtMs: nowMs })
    .where(eq(organizations.id, root.id))
}

/** Seats are counted here, the nine types of quotas by their domain, with what was set for the account by hand. */
async function checkCaps(tx: Tx, runtime: Runtime, root: OrganizationRow, tier: Tier, nowMs: number): Promise<void> {
  refuseOverages(tier, [
    ...(await seatOverages(tx, runtime, root, tier, nowMs)),
    ...(await capacityOf(runtime).overages(tx, root.id, tier)),
  ])
}

export async function seatOverages(
  tx: Tx,
  { settings }: Pick<Runtime, 'settings'>,
  root: OrganizationRow,
  tier: string,
  nowMs: number,
): Promise<Overage[]> {
  const targetCap = seatsAllowed({ ...root, tier }, settings)
  const before = seatsAllowed(root, settings)
  const isLowered = targetCap >= 0 && (before < 0 || targetCap < before)
  if (!isLowered) return []
  const { used } = await countSeats(tx, root.id, nowMs)
  return used > targetCap ? [{ quotaType: 'seats', currentUsage: used, targetCap, overage: used - targetCap }] : []
}

/** @throws Refusal `TIER_OVER_CAP` when there are any. */
export function refuseOverages(what: string, overages: readonly Overage[]): void {
  if (overages.length === 0) return
  throw new Refusal('TIER_OVER_CAP', `the usage is above the limits of ${what}: reduce it, or send \`force\``, {
    details: { overages },
  })
}

/** `PUT /organization/:id/seat-limit`: the billing service says what the account has bought. */
export const setSeatLimit = command({
  name: 'identity.organization.set-seat-limit',
  summary: 'Set the seats, features and tier that an account has bought',
  http: { method: 'put', ...organizationPath('/:id/seat-limit') },
  access: scope('seats:sync'),
  tenant: fromPath('id'),
  acrossOrganizations: 'seats are those of the account',
  audit: ['admin.org.seatLimit.update'],
  input: {
    path: Type.Object({ id: Type.String() }),
    body: strictObject({
      seats: Type.Integer({ minimum: -1, maximum: 2_000_000_000 }),
      features: Type.Optional(Type.Array(choice(FEATURES), { maxItems: FEATURES.length, uniqueItems: true })),
      tier: Type.Optional(TierName),
    }),
  },
  output: strictObject({
    id: Uuid,
    seats: nullable(Type.Integer()),
    features: Type.Array(Type.String()),
    tier: Type.String(),
  }),
  errors: ['CONFLICT', 'NOT_FOUND'],
  async run(context, { body }) {
    const { tx, runtime, nowMs } = context
    const { rootOrgId } = await liveOrganization(tx, tenantId(context))
    const root = await lockAccount(tx, rootOrgId)
    const next = {
      seatLimit: body.seats,
      addonFeatures: body.features === undefined ? root.addonFeatures : [...body.features].sort(),
      tier: body.tier ?? root.tier,
    }
    if (runtime.settings.BILLING_ENABLED && body.tier === 'unlimited') {
      throw new Refusal('CONFLICT', 'the tier unlimited is not given while billing is on')
    }
    const answer = { id: root.id, seats: next.seatLimit, features: next.addonFeatures, tier: next.tier }
    const isSame =
      root.seatLimit === next.seatLimit &&
      root.tier === next.tier &&
      JSON.stringify(root.addonFeatures) === JSON.stringify(next.addonFeatures)
    if (isSame) return unchanged(answer)
    const { organizations } = identityTables(tx)
    await tx
      .update(organizations)
      .set({ ...next, revision: root.revision + 1, updatedAtMs: nowMs })
      .where(eq(organizations.id, root.id))
    dropStale(context, { orgId: root.id })
    await context.audit('admin.org.seatLimit.update', {
      targetType: 'organization',
      targetId: root.id,
      affectedOrgId: root.id,
      details: { seats: next.seatLimit, features: next.addonFeatures, tier: next.tier },
    })
    return changed(answer)
  },
})
