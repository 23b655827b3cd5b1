/** What other domains of the server may import from the audit domain. */
import { sealerPort } from '../runtime/jobs/evidence.js'
import { defineDomain, provide } from '../runtime/manifest.js'
import { auditDeclarations } from './declarations.js'
import { auditJobs, auditSchedules } from './jobs.js'
import { auditOperations } from './operations.js'
import { auditRegistration } from './registration.js'
import { auditOf } from './service.js'
import { auditTables } from './tables.js'

export { refuseRolledBack } from './checkpoint/refuse-rolled-back.js'
export { auditLog } from './log.js'

export const audit = defineDomain({
  ...auditDeclarations,
  operations: auditOperations,
  jobs: auditJobs,
  schedules: auditSchedules,
  tables: [auditTables],
  registration: auditRegistration,
  provides: [provide(sealerPort, auditOf)],
  checks: (runtime) => [auditOf(runtime).lag],
  services: (runtime) => [auditOf(runtime).service],
})
