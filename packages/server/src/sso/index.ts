/** What other parts of the server may know of the domain of sign-on. */
import { defineDomain } from '../runtime/manifest.js'
import { capacityPort } from '../runtime/records/capacity.js'
import { ssoDeclarations } from './declarations.js'
import { recheckDomainsJob, recheckDomainsSchedule } from './domain/recheck.js'
import { watchEntitlementJob, watchEntitlementSchedule } from './enforcement/watch.js'
import { SSO_TEMPLATES } from './mail.js'
import { SSO_OPERATIONS } from './operations.js'
import { SSO_PAGES } from './pages.js'
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
  requires: [capacityPort],
})
