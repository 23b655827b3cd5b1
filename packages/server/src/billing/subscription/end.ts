/** Whether the subscription ends with its period: cancel sets this, reactivate resets it. */

import { transition } from '@plumbline/billing-core'
import Type from 'typebox'
import { changed, unchanged } from '../../runtime/operation/context.js'
import { fromAccount } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { ACCOUNT_WIDE, BILLING_ERRORS, granted, requireBilling } from '../account/gate.js'
import { openAccount } from '../account/open.js'
import { at, columnsOf, requireLive, SubscriptionView, toCore } from '../account/subscription.js'
import { type BillingWriting, bumpVersion, type Root, writeSubscription } from '../account/writing.js'
import { checkAlerts } from '../alert/check.js'
import { AGREED_ERRORS, agreedElsewhere, settleSubscription, showSubscription } from '../call/answer.js'
import { withCall } from '../call/settle.js'
import { findOpenCall, writeWish } from '../call/wish.js'
import { requirePlanSoldHere } from '../charge/self-service.js'
import { requireOwnSeller } from '../charge/seller.js'
import { recordEvent } from '../event/record.js'
import { clawBack } from '../promotion/give.js'
import { findLink, updateLink } from '../provider/link.js'
import type { LinkRow } from '../provider-tables.js'
import { recordEnd } from '../state/move.js'
import type { SubscriptionRow } from '../tables.js'

export const endOf = {
  tenant: fromAccount,
  acrossOrganizations: ACCOUNT_WIDE,
  input: { path: Type.Object({ id: Uuid }) },
  output: strictObject({ subscription: SubscriptionView }),
  ...agreedElsewhere,
  errors: [...BILLING_ERRORS, ...AGREED_ERRORS, 'NOT_FOUND'],
  settle: settleSubscription,
} as const

type Deciding = BillingWriting & { readonly claimKey: string | null }

export async function decideEnd(request: Deciding, rootOrgId: string, id: string, wanted: 'cancel' | 'reactivate') {
  requireBilling(request.runtime)
  requirePlanSoldHere(request.runtime)
  const { inTime: context, root } = await openAccount(request, rootOrgId)
  const { tx, runtime } = context
  const row = await requireLive(tx, root.id, id)
  await requireOwnSeller(runtime, tx, row)
  const isWanted = row.cancelAtPeriodEnd === (wanted === 'cancel')
  const link = await findLink(tx, row.id)
  if (isWanted) return unchanged({ subscription: await showSubscription(tx, runtime, row) })
  const ids = { orgId: root.id, subscriptionId: row.id, clientKey: context.claimKey, wish: {} }
  if (link !== null && wanted === 'reactivate') {
    // The flag is reset when the provider confirms.
    const call = await writeWish(context, { ...ids, kind: wanted })
    return changed(withCall({ subscription: await showSubscription(tx, runtime, row) }, call))
  }
  const next = await endWithPeriod(context, root, row, { link, wanted })
  if (link === null) return changed({ subscription: await showSubscription(tx, runtime, next) })
  const isBusy = (await findOpenCall(tx, row.id)) !== null
  const call = isBusy ? null : await writeWish(context, { ...ids, kind: wanted })
  return changed(withCall({ subscription: await showSubscription(tx, runtime, next) }, call))
}

/** It stays canceled here, whatever the provider answers. The provider is asked until it confirms. */
export async function endWithPeriod(
  context: BillingWriting,
  root: Root,
  row: SubscriptionRow,
  { link, wanted = 'cancel' }: { readonly link: LinkRow | null; readonly wanted?: 'cancel' | 'reactivate' },
): Promise<SubscriptionRow> {
  const next = await flipEnd(context, row, wanted)
  await checkAlerts(context, root)
  if (link !== null) await updateLink(context, link, { cancelUnconfirmed: true })
  return next
}

async function flipEnd(context: BillingWriting, row: SubscriptionRow, wanted: 'cancel' | 'reactivate') {
  const { subscription, effects } = granted(transition(toCore(row), { type: `${wanted}_requested` }, at(context.nowMs)))
  let next = await writeSubscription(context, row, columnsOf(subscription))
  if (effects.some(({ kind }) => kind === 'clawback')) next = await clawBack(context, next)
  await bumpVersion(context, row.orgId)
  for (const effect of effects) {
    if (effect.kind !== 'event') continue
    const { type, details } = effect
    await recordEvent(context, { orgId: row.orgId, subscriptionId: row.id, type, details })
  }
  await recordEnd(context, next)
  return next
}
