/** The provider that charges nobody: what it is asked to do has happened when the asking transaction is committed. */
import { ProviderFault } from './fault.js'
import type { PaymentProvider } from './port.js'

const local = (what: string) => (): Promise<never> =>
  Promise.reject(
    new ProviderFault('refused', `no provider charges on this server, so there is no ${what}`, {
      code: 'not_supported',
    }),
  )

export const stubProvider: PaymentProvider = {
  kind: 'stub',
  isLocal: true,
  requireSellable: () => undefined,
  learnPrices: async () => undefined,
  ensureCustomer: async (_key, { orgId }) => orgId,
  findCustomer: async ({ orgId }) => orgId,
  deleteCustomer: async () => undefined,
  createSubscription: local('subscription of a provider'),
  applyState: local('subscription of a provider'),
  cancelAtPeriodEnd: local('subscription of a provider'),
  reactivate: local('subscription of a provider'),
  end: local('subscription of a provider'),
  readSubscription: async () => null,
  adjustCredit: async (_key, { rowId }) => ({ ref: rowId }),
  findCredit: async ({ rowId }) => ({ ref: rowId }),
  readBalance: async () => 0,
  readInvoices: async () => [],
  readInvoice: async () => null,
  findInvoiceOfPayment: async () => null,
  portal: local('portal'),
  async *listEvents() {},
}
