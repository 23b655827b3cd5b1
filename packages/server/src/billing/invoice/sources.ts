/** What an invoice depends on besides the subscription's row: the standing discount, and the promotions that recur. */
import type { Runtime } from '../../runtime/operation/context.js'
import type { Db } from '../../runtime/store/db.js'
import { supportsCredit } from '../account/credit.js'
import { findDiscount, toDiscount } from '../discount/record.js'
import { promotionsAreOn } from '../promotion/record.js'
import { recurringPromotions } from '../promotion/recurring.js'
import type { SubscriptionRow } from '../tables.js'
import type { InvoiceSources } from './account.js'

export async function sourcesOf(
  runtime: Pick<Runtime, 'settings'>,
  db: Db,
  row: SubscriptionRow,
): Promise<InvoiceSources> {
  const rule = row.recurringDiscount
  const discount = rule === null ? null : await findDiscount(db, rule.discountId)
  return {
    discount: discount === null ? null : toDiscount(discount),
    promotions: promotionsAreOn(runtime) ? await recurringPromotions(db, row) : [],
    creditSupported: supportsCredit(runtime),
  }
}
