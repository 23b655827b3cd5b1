/**
 * `DELETE /billing/subscriptions/by-org/:orgId`: removes an account from billing, for the service that deletes
 * organizations.
 */
import { transition } from '@plumbline/billing-core'
import { eq } from 'drizzle-orm'
import Type from 'typebox'
import { invalidField } from '../../runtime/errors.js'
import { either, scope, systemAdmin, withStepUp } from '../../runtime/operation/access.js'
import { changed, unchanged } from '../../runtime/operation/context.js'
import { command, noTenant } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { BILLING_ERRORS, granted, requireBilling } from '../account/gate.js'
import { accountTime } from '../account/open.js'
import { at, findLive, toCore } from '../account/subscription.js'
import { allowTrial } from '../account/trial.js'
import { type BillingWriting, lockRoot, type Root } from '../account/writing.js'
import { entitleAccount } from '../entitle/apply.js'
import { forgetAccount } from '../kept-invoice/purge-account.js'
import { billingTables } from '../tables.js'

const Count = Type.Integer({ minimum: 0 })

export const deleteSubscription = command({
  name: 'billing.subscription.delete',
  summary: 'Remove an account from billing',
  description:
    'Deletes its subscriptions, credit and events; the account gets the baseline tier. Its invoices are kept for ten years. A trial that it had counts on: only with `trialAgain` it gets another one, also when the account was removed before. Refused while a provider charges the account: cancel there first.',
  http: { method: 'delete', path: '/billing/subscriptions/by-org/:orgId' },
  access: withStepUp(either(systemAdmin(), scope('entitlements:sync')), 'except-services'),
  tenant: noTenant,
  audit: ['billing.subscription.delete', 'admin.org.seatLimit.update', 'compliance.rule.toggle'],
  input: {
    path: Type.Object({ orgId: Uuid }),
    query: Type.Object({
      trialAgain: Type.Optional(Type.Boolean({ description: 'The account may have a trial again' })),
    }),
  },
  output: strictObject({ deleted: Count, events: Count }),
  errors: [...BILLING_ERRORS, 'CONFLICT', 'NOT_FOUND', 'VALIDATION_ERROR'],
  async run(context, { path: { orgId }, query: { trialAgain = false } }) {
    const { tx, runtime, nowMs } = context
    requireBilling(runtime)
    const root = await lockRoot(context, orgId)
    if (root.parentOrgId !== null) {
      throw invalidField('/path/orgId', `must be the account ${root.parentOrgId}: the organization is a team of it`)
    }
    const { billingSubscriptions, billingEvents } = billingTables(tx)
    const deleted = await tx.$count(billingSubscriptions, eq(billingSubscriptions.orgId, orgId))
    const events = await tx.$count(billingEvents, eq(billingEvents.orgId, orgId))
    const isAllowed = trialAgain && (await allowTrial(context, orgId))
    if (deleted === 0 && events === 0 && !isAllowed) return unchanged({ deleted, events })
    await endLive(context as BillingWriting, root)
    await forgetAccount(tx, orgId, nowMs)
    await context.audit('billing.subscription.delete', {
      targetType: 'organization',
      targetId: orgId,
      affectedOrgId: orgId,
      details: { deleted, events, trialAgain },
    })
    return changed({ deleted, events })
  },
})

async function endLive(context: BillingWriting, root: Root): Promise<void> {
  const row = await findLive(context.tx, root.id)
  if (row === null || root.deletedAtMs !== null) return
  const { nowMs } = await accountTime(context.tx, root.id, context.nowMs)
  const { subscription } = granted(transition(toCore(row), { type: 'ended' }, at(nowMs)))
  await entitleAccount(context, root, subscription)
}
