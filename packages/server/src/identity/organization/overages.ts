/** The usage of an account above a lower limit. */
import { Refusal } from '../../runtime/errors.js'
import type { Runtime } from '../../runtime/operation/context.js'
import type { Overage } from '../../runtime/records/capacity.js'
import type { Tx } from '../../runtime/store/db.js'
import { seatsAllowed } from '../account/entitlements.js'
import type { OrganizationRow } from '../account/row.js'
import { countSeats } from './seats.js'

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
