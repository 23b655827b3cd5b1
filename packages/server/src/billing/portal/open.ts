/**
 * `POST /billing/portal`: opens a page of the provider for payment method, invoices and details. Plans are changed
 * here, not there.
 */
import Type from 'typebox'
import { notFound, Refusal } from '../../runtime/errors.js'
import { permission } from '../../runtime/operation/access.js'
import { type PrepareContext, tenantId, unchanged } from '../../runtime/operation/context.js'
import { command, fromAccount, none } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { BILLING_ERRORS, requireBilling } from '../account/gate.js'
import { providerOf } from '../charge/open.js'
import { sellsHere } from '../charge/self-service.js'
import { billingPage } from '../notice/send.js'
import { ProviderFault } from '../provider/fault.js'
import { findCustomer } from '../provider/link.js'

export const openPortal = command({
  name: 'billing.portal.open',
  summary: 'Open the page of the provider for payment method and invoices',
  description:
    'The link is for the caller only and expires after some minutes. Plans are changed in Plumbline, not on that page.',
  http: { method: 'post', path: '/billing/portal', aliases: ['/portal'] },
  access: permission('billing:manage'),
  tenant: fromAccount,
  audit: none('it only leads to a page of the provider'),
  secretOutput: true,
  rateLimit: 'billing-portal',
  input: {},
  output: strictObject({ url: Type.String() }),
  errors: [...BILLING_ERRORS, 'NOT_FOUND', 'NOT_SUPPORTED', 'PROVIDER_UNAVAILABLE'],
  async prepare(context: PrepareContext): Promise<{ readonly url: string }> {
    const { runtime, read } = context
    requireBilling(runtime)
    const provider = providerOf(runtime)
    if (!sellsHere(runtime))
      throw new Refusal('NOT_SUPPORTED', 'the marketplace charges: payment and invoices are on its own pages')
    if (provider.isLocal)
      throw new Refusal('NOT_SUPPORTED', 'no provider charges on this server, so there is no portal')
    const customerId = await read((db) => findCustomer(db, tenantId(context)))
    if (customerId === null) throw notFound('Customer')
    try {
      return await provider.portal(customerId, billingPage(runtime))
    } catch (error) {
      if (!(error instanceof ProviderFault)) throw error
      throw new Refusal('PROVIDER_UNAVAILABLE', 'the card provider cannot open its portal now: try again', {
        cause: error,
      })
    }
  },
  run: async (_context, _input, { url }: { readonly url: string }) => unchanged({ url }),
})
