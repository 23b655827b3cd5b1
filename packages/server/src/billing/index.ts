/** What other parts of the server may know of the billing domain. */

import { defineDomain, provide } from '../runtime/manifest.js'
import { notificationsOf } from '../runtime/records/notification.js'
import { openProvider, paymentProviderPort } from './charge/open.js'
import { creditTables } from './credit-tables.js'
import { billingDeclarations } from './declarations.js'
import { entitlementDriftSchedule } from './entitlement/job.js'
import { forgetCustomerJob } from './kept-invoice/forget-customer.js'
import { keptInvoicesSchedule } from './kept-invoice/job.js'
import { keptTables } from './kept-tables.js'
import { ledgerSealSchedule } from './ledger/seal.js'
import { alertsSchedule } from './lifecycle/alerts.js'
import { lifecycleSchedule } from './lifecycle/job.js'
import { marketplaceTables } from './marketplace-tables.js'
import { billingNoticeMail } from './notice/mail.js'
import { BILLING_NOTIFICATIONS } from './notice/send.js'
import { BILLING_JOBS, BILLING_OPERATIONS } from './operations.js'
import { backfillSchedule } from './promotion/job.js'
import { providerSchedules } from './provider-schedules.js'
import { providerTables } from './provider-tables.js'
import { referralSchedule } from './referral/job.js'
import { billingRegistration } from './registration.js'
import { leaveJob } from './subscription/leave-provider.js'
import { billingTables } from './tables.js'

export const billing = defineDomain({
  ...billingDeclarations,
  mails: [billingNoticeMail],
  operations: BILLING_OPERATIONS,
  jobs: [...BILLING_JOBS, forgetCustomerJob, leaveJob],
  schedules: (settings) => [
    lifecycleSchedule(settings),
    alertsSchedule,
    backfillSchedule(settings),
    referralSchedule(),
    keptInvoicesSchedule,
    ledgerSealSchedule,
    entitlementDriftSchedule(settings),
    ...providerSchedules(settings),
  ],
  tables: [billingTables, creditTables, providerTables, keptTables, marketplaceTables],
  provides: [
    provide(paymentProviderPort, ({ settings }) => openProvider(settings)),
    provide(notificationsOf('billing'), () => BILLING_NOTIFICATIONS),
  ],
  registration: billingRegistration,
})
