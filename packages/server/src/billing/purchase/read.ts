/**
 * Reads what a purchase is entitled to from the marketplace, and applies it. A request and the job use the same
 * function.
 */
import { openAccount } from '../account/open.js'
import { buyerOf, findPurchase } from '../buyer/record.js'
import type { Settling } from '../call/said.js'
import { marketplaceOf } from '../marketplace/client.js'
import { ProviderFault } from '../provider/fault.js'
import { type Followed, follow, type Hint } from './follow.js'

const TRIES = 3

/**
 * @returns null for a purchase that no longer exists.
 * @throws ProviderFault
 */
export async function readPurchase(settling: Settling, id: string, hint: Hint = 'none'): Promise<Followed | null> {
  const { runtime } = settling
  for (let attempt = 1; ; attempt++) {
    const known = await settling.read((db) => findPurchase(db, id))
    if (known === null) return null
    const askedAtMs = runtime.clock.now()
    const told = await marketplaceOf(runtime).entitlements(buyerOf(runtime, known))
    const done = await settling.write(async (writing) => {
      const { inTime, root } = await openAccount(writing, known.orgId)
      const purchase = await findPurchase(inTime.tx, id)
      if (purchase === null) return null
      // guard: an-older-read-is-not-followed
      const isOld = purchase.orgId !== known.orgId || purchase.entitlementsAtMs > askedAtMs
      return isOld ? 'old' : follow(inTime, { root, purchase }, told, hint)
    })
    if (done !== 'old') return done
    if (attempt === TRIES) throw new ProviderFault('no_answer', 'the purchase changed while its entitlements were read')
  }
}
