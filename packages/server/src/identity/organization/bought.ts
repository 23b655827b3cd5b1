import type { Tier } from '@plumbline/billing-core'
import { eq } from 'drizzle-orm'
import { callMeterPort } from '../../runtime/operation/call-meter.js'
import type { AuditEntry } from '../../runtime/operation/context.js'
import { findPort } from '../../runtime/port.js'
import { type RuleWriting, ruleLibraryPort } from '../../runtime/records/rule-library.js'
import { featuresOf } from '../account/entitlements.js'
import type { OrganizationRow } from '../account/row.js'
import { dropStale } from '../stale.js'
import { identityTables } from '../tables.js'

/** What an account has bought, or the baseline of its tier. */
export interface BoughtEntitlement {
  readonly tier: Tier
  /** Null for the tier's number of seats. */
  readonly seats: number | null
  readonly features: readonly string[]
}

/**
 * Writes what the account has bought, with its audit event, in the transaction of the purchase, and updates the rules
 * of the sets that the account gains or loses. The root's row is locked. @returns whether anything changed.
 */
export async function applyEntitlement(
  context: EntitlementWriting,
  root: OrganizationRow,
  bought: BoughtEntitlement,
): Promise<boolean> {
  const { tx, runtime, nowMs } = context
  const addonFeatures = [...bought.features].sort()
  const next = { tier: bought.tier, seatLimit: bought.seats, addonFeatures }
  const isSame =
    root.seatLimit === next.seatLimit &&
    root.tier === next.tier &&
    JSON.stringify(root.addonFeatures) === JSON.stringify(addonFeatures)
  if (isSame) return false
  const { organizations } = identityTables(tx)
  await tx
    .update(organizations)
    .set({ ...next, revision: root.revision + 1, updatedAtMs: nowMs })
    .where(eq(organizations.id, root.id))
  await findPort(runtime, ruleLibraryPort)?.follow(context, {
    rootOrgId: root.id,
    before: featuresOf(root, runtime.settings),
    after: featuresOf({ ...root, ...next }, runtime.settings),
  })
  dropStale(context, { orgId: root.id })
  tx.afterCommit(() => findPort(runtime, callMeterPort)?.forget(root.id))
  await context.audit('admin.org.seatLimit.update', {
    targetType: 'organization',
    targetId: root.id,
    affectedOrgId: root.id,
    details: { seats: bought.seats, features: addonFeatures, tier: bought.tier },
  })
  return true
}

/** The context of a request or a job that may write entitlements. */
export type EntitlementWriting = RuleWriting & {
  audit(action: 'admin.org.seatLimit.update' | 'compliance.rule.toggle', entry: AuditEntry): Promise<void>
}
