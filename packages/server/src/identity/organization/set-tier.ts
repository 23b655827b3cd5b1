import type { Tier } from '@plumbline/billing-core'
import { eq } from 'drizzle-orm'
import Type from 'typebox'
import { Refusal } from '../../runtime/errors.js'
import { systemAdmin, withStepUp } from '../../runtime/operation/access.js'
import { callMeterPort } from '../../runtime/operation/call-meter.js'
import { changed, type Runtime, tenantId, unchanged } from '../../runtime/operation/context.js'
import { command, fromPath } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { findPort } from '../../runtime/port.js'
import { capacityOf } from '../../runtime/records/capacity.js'
import { ruleLibraryPort } from '../../runtime/records/rule-library.js'
import type { Tx } from '../../runtime/store/db.js'
import { featuresOf } from '../account/entitlements.js'
import { liveOrganization, lockAccount } from '../account/organizations.js'
import type { OrganizationRow } from '../account/row.js'
import { organizationPath } from '../paths.js'
import { dropStale } from '../stale.js'
import { identityTables } from '../tables.js'
import { refuseOverages, seatOverages } from './overages.js'
import { TierName } from './tier-name.js'

/** `PATCH /organization/:id/tier`. */
export const setOrganizationTier = command({
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
    await findPort(runtime, ruleLibraryPort)?.follow(context, { rootOrgId: root.id, before, after })
    dropStale(context, { orgId: root.id })
    tx.afterCommit(() => findPort(runtime, callMeterPort)?.forget(root.id))
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
    throw new Refusal('CONFLICT', 'the tier unlimited cannot be set while billing is on: choose another one')
  }
  for (const domain of BILLING_ENABLED ? runtime.domains : []) {
    const reason = (await domain.holdsTier?.(tx, root.id)) ?? null
    if (reason !== null) throw new Refusal('CONFLICT', reason)
  }
  // While billing is off, tier limits are not enforced, so no usage exceeds one.
  // guard: the-caps-of-a-tier
  if (BILLING_ENABLED && !force) await checkCaps(tx, runtime, root, tier, nowMs)
  const { organizations } = identityTables(tx)
  await tx
    .update(organizations)
    .set({ tier, revision: root.revision + 1, updatedAtMs: nowMs })
    .where(eq(organizations.id, root.id))
}

/**
 * Seats are counted here. Their domain counts the nine types of quotas, including limits that an operator set for the
 * account.
 */
async function checkCaps(tx: Tx, runtime: Runtime, root: OrganizationRow, tier: Tier, nowMs: number): Promise<void> {
  refuseOverages(tier, [
    ...(await seatOverages(tx, runtime, root, tier, nowMs)),
    ...(await capacityOf(runtime).overages(tx, root.id, tier)),
  ])
}
