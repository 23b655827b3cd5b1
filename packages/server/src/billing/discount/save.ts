/** Writes an operator's change of a discount, with evidence. */
import { eq } from 'drizzle-orm'
import { changed, unchanged } from '../../runtime/operation/context.js'
import type { Db } from '../../runtime/store/db.js'
import { creditTables, type DiscountRow } from '../credit-tables.js'
import { recordForTarget } from './create.js'
import { factsOf, presentDiscount } from './record.js'

type Saving = Parameters<typeof recordForTarget>[0] & {
  audit(
    action: 'billing.discount.revoke' | 'billing.discount.generate',
    entry: { targetType: string; targetId: string; affectedOrgId?: string; details: Record<string, unknown> },
  ): Promise<void>
}

export async function saveDiscount(context: Saving, row: DiscountRow, columns: Partial<DiscountRow>) {
  const next: DiscountRow = { ...row, ...columns }
  const isSame = (['isActive', 'maxRedemptions', 'redeemByMs'] as const).every((key) => next[key] === row[key])
  if (isSame && JSON.stringify(next.appliesToTiers) === JSON.stringify(row.appliesToTiers)) {
    return unchanged({ discount: presentDiscount(row) })
  }
  const saved = { ...next, updatedAtMs: context.nowMs }
  await writeColumns(context.tx, saved)
  const revokes = row.isActive && !next.isActive
  if (revokes) await recordForTarget(context, saved, 'discount_revoked')
  await context.audit(revokes ? 'billing.discount.revoke' : 'billing.discount.generate', {
    targetType: 'discount',
    targetId: row.id,
    ...(row.targetOrgId === null ? {} : { affectedOrgId: row.targetOrgId }),
    details: factsOf(row),
  })
  return changed({ discount: presentDiscount(saved) })
}

/** The counter is not written, because a redemption may change it at the same time. */
async function writeColumns(
  tx: Db,
  { id, isActive, maxRedemptions, redeemByMs, appliesToTiers, updatedAtMs }: DiscountRow,
) {
  const { billingDiscounts: t } = creditTables(tx)
  await tx.update(t).set({ isActive, maxRedemptions, redeemByMs, appliesToTiers, updatedAtMs }).where(eq(t.id, id))
}
