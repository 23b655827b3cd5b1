/** What other parts of the server may know of the compliance domain. */
import type { Module } from '../runtime/module.js'
import { pruneChecksJob, pruneChecksSchedule } from './check/prune.js'
import { expireExemptionsJob, expireExemptionsSchedule } from './exemption/sweep.js'
import { complianceOperations } from './operations.js'
import { recheckJob } from './recheck/job.js'
import { complianceRegistration } from './registration.js'
import { sweepRulesJob, sweepRulesSchedule } from './rule/sweep.js'
import { tellSubscribersJob } from './subscription/tell.js'

export { loadHostContent } from './content/host.js'
export { type LoadedContent, loadFirstContent } from './content/load.js'
export { choosePort } from './port/choose.js'

export const complianceModule: Module = {
  name: 'compliance',
  operations: complianceOperations,
  jobs: [recheckJob, pruneChecksJob, sweepRulesJob, tellSubscribersJob, expireExemptionsJob],
  schedules: [pruneChecksSchedule, sweepRulesSchedule, expireExemptionsSchedule],
  templates: [],
  registration: complianceRegistration,
}
