/** `POST /billing/admin/reconcile`: compares accounts with the provider now. */
import Type from 'typebox'
import { Refusal } from '../../runtime/errors.js'
import { systemAdmin } from '../../runtime/operation/access.js'
import { changed } from '../../runtime/operation/context.js'
import { command, noTenant } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { ACCOUNT_WIDE, BILLING_ERRORS, requireBilling } from '../account/gate.js'
import { SUBSCRIPTION_ACTIONS } from '../account/writing.js'
import { settlingOf } from '../call/settle.js'
import { providerOf } from '../charge/open.js'
import { ProviderFault } from '../provider/fault.js'
import type { Drift } from '../provider-tables.js'
import { reconcile } from './run.js'

export const DriftView = strictObject({
  orgId: Uuid,
  subscriptionId: Uuid,
  what: Type.String({
    description:
      'What differed: status, period, cancelation, plan and add-ons, credit, or a delivery that had not arrived, with its effect (the first 500)',
  }),
  repaired: Type.Boolean(),
})

export const compareReconcile = command({
  name: 'billing.reconcile.compare',
  summary: 'Compare with the provider, and repair what differs',
  description:
    'Processes deliveries that did not arrive, and reads the next 100 accounts completely. Status, period and payments are repaired from the provider; plan, add-ons and credit from this server.',
  http: { method: 'post', path: '/billing/admin/reconcile' },
  access: systemAdmin(),
  tenant: noTenant,
  acrossOrganizations: ACCOUNT_WIDE,
  audit: SUBSCRIPTION_ACTIONS,
  silentWhen: 'nothing differs',
  input: {},
  output: strictObject({
    events: Type.Integer({ minimum: 0, description: 'Deliveries that had not arrived' }),
    accounts: Type.Integer({ minimum: 0 }),
    drift: Type.Array(DriftView),
  }),
  errors: [...BILLING_ERRORS, 'NOT_SUPPORTED', 'PROVIDER_UNAVAILABLE'],
  async run({ runtime }) {
    requireBilling(runtime)
    if (providerOf(runtime).isLocal)
      throw new Refusal('NOT_SUPPORTED', 'no provider charges on this server: there is nothing to compare')
    const drift: Drift[] = []
    return changed({ events: 0, accounts: 0, drift })
  },
  async settle(context) {
    try {
      const { events, accounts, drift } = await reconcile(settlingOf(context))
      return { events, accounts, drift: [...drift] }
    } catch (error) {
      if (!(error instanceof ProviderFault)) throw error
      throw new Refusal('PROVIDER_UNAVAILABLE', 'the provider does not answer: try again', { cause: error })
    }
  },
})
