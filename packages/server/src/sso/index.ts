/** What other parts of the server may use of the sign-on domain. */
import { defineDomain, provide } from '../runtime/manifest.js'
import { capacityPort } from '../runtime/records/capacity.js'
import { notificationsOf } from '../runtime/records/notification.js'
import { signOnPort } from '../runtime/records/sign-on.js'
import { ssoDeclarations } from './declarations.js'
import { recheckDomainsJob, recheckDomainsSchedule } from './domain/recheck.js'
import { watchEntitlementJob, watchEntitlementSchedule } from './enforcement/watch.js'
import { forgetLinks } from './forget-links.js'
import { SSO_NOTIFICATIONS, SSO_TEMPLATES } from './mail.js'
import { SSO_OPERATIONS } from './operations.js'
import { SSO_PAGES } from './pages.js'
import { configuredAmong } from './provider/configured.js'
import { ssoRegistration } from './registration.js'
import { sweepSignInsJob, sweepSignInsSchedule } from './sweep.js'
import { ssoTables } from './tables.js'

export const sso = defineDomain({
  ...ssoDeclarations,
  operations: SSO_OPERATIONS,
  jobs: [recheckDomainsJob, watchEntitlementJob, sweepSignInsJob],
  schedules: [recheckDomainsSchedule, watchEntitlementSchedule, sweepSignInsSchedule],
  mails: SSO_TEMPLATES,
  tables: [ssoTables],
  pages: SSO_PAGES,
  registration: ssoRegistration,
  provides: [
    provide(notificationsOf('sso'), () => SSO_NOTIFICATIONS),
    provide(signOnPort, () => ({ configuredAmong, forgetLinks })),
  ],
  requires: [capacityPort],
})
