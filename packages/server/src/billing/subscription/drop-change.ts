/** `DELETE /billing/subscriptions/:id/pending-change`: drops the change that is pending for the next period. */
import { and, eq } from 'drizzle-orm'
import Type from 'typebox'
import { notFound } from '../../runtime/errors.js'
import { permission } from '../../runtime/operation/access.js'
import { changed, tenantId } from '../../runtime/operation/context.js'
import { command, fromAccount } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { ACCOUNT_WIDE, BILLING_ERRORS, requireBilling } from '../account/gate.js'
import { openAccount } from '../account/open.js'
import { requireLive, SubscriptionView, toCore } from '../account/subscription.js'
import type { BillingWriting } from '../account/writing.js'
import { AGREED_ERRORS, agreedElsewhere, settleSubscription, showSubscription } from '../call/answer.js'
import { carryOut } from '../call/carry-out.js'
import { withCall } from '../call/settle.js'
import { changeInProgress, findOpenCall } from '../call/wish.js'
import { requireOwnSeller } from '../charge/seller.js'
import { type CallRow, providerTables } from '../provider-tables.js'

export const dropSubscriptionChange = command({
  ...agreedElsewhere,
  name: 'billing.subscription.drop-change',
  summary: 'Cancel a change that waits for the end of the period',
  description: 'Or a change that waits for the provider, if it was not sent yet.',
  http: { method: 'delete', path: '/billing/subscriptions/:id/pending-change' },
  access: permission('billing:manage'),
  tenant: fromAccount,
  acrossOrganizations: ACCOUNT_WIDE,
  input: { path: Type.Object({ id: Uuid }) },
  output: strictObject({ subscription: SubscriptionView }),
  errors: [...BILLING_ERRORS, ...AGREED_ERRORS, 'NOT_FOUND'],
  async run(request, { path: { id } }) {
    requireBilling(request.runtime)
    const { inTime: context, root } = await openAccount(request, tenantId(request))
    const { tx, runtime, nowMs } = context
    const row = await requireLive(tx, root.id, id)
    await requireOwnSeller(runtime, tx, row)
    const call = await findOpenCall(tx, id)
    if (call !== null) {
      await withdraw(context, call)
      return changed({ subscription: await showSubscription(tx, runtime, row) })
    }
    if (row.pendingChange === null) throw notFound('Pending change')
    const { planId, interval, addons } = toCore(row)
    const none = { invoiceNow: null, pruned: [], cascaded: [], lostCombos: [] }
    const planned = { ...none, when: 'period_end' as const, after: { planId, interval, addons }, pendingChange: null }
    const done = await carryOut(context, root, row, { planned, atMs: nowMs })
    return changed(withCall({ subscription: await showSubscription(tx, runtime, done.row) }, done.call))
  },
  settle: settleSubscription,
})

/** @throws Refusal 409 once the change may have reached the provider. */
async function withdraw({ tx }: Pick<BillingWriting, 'tx'>, { id, kind }: CallRow): Promise<void> {
  const { billingProviderCalls: t } = providerTables(tx)
  const gone = await tx
    .delete(t)
    .where(
      and(
        eq(t.id, id),
        // guard: what-was-sent-is-not-taken-back
        eq(t.state, 'queued'),
      ),
    )
    .returning({ id: t.id })
  if (gone.length === 0 || kind !== 'apply') throw changeInProgress()
}
