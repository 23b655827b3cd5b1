/** What other parts of the server may use of the reporting domain. */
import { defineDomain, provide } from '../runtime/manifest.js'
import { deployedPipelinesPort, registrationPort } from '../runtime/records/deployed-pipelines.js'
import { finishedBuildsPort, knownPluginsPort } from '../runtime/records/finished-builds.js'
import { reportRetentionPort } from '../runtime/records/report-retention.js'
import { reportingDeclarations } from './declarations.js'
import { REPORTING_OPERATIONS } from './operations.js'
import { buildListener } from './plugin-build/listener.js'
import { reportingRegistration } from './registration.js'
import { boughtRetention } from './retention-sync/bought.js'
import { rollUpJob, rollUpSchedule } from './rollup/job.js'
import { sweepReportsJob, sweepReportsSchedule } from './sweep.js'
import { reportingTables } from './tables.js'
import { registrationListener } from './webhook/listener.js'

export { recordDemoHistory } from './demo/record.js'

export const reporting = defineDomain({
  ...reportingDeclarations,
  operations: REPORTING_OPERATIONS,
  jobs: [sweepReportsJob, rollUpJob],
  schedules: [sweepReportsSchedule, rollUpSchedule],
  tables: [reportingTables],
  registration: reportingRegistration,
  provides: [
    provide(registrationPort, registrationListener),
    provide(finishedBuildsPort, () => buildListener),
    provide(reportRetentionPort, boughtRetention),
  ],
  requires: [deployedPipelinesPort, knownPluginsPort],
})
