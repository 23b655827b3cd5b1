/** What other domains of the server may import from the compliance domain. */
import { defineDomain, provide } from '../runtime/manifest.js'
import { compliancePort } from '../runtime/records/compliance.js'
import { lastRecheckPort } from '../runtime/records/last-recheck.js'
import { notificationPort, notificationsOf } from '../runtime/records/notification.js'
import { ruleLibraryPort } from '../runtime/records/rule-library.js'
import { loadFirstContent } from './content/load.js'
import { complianceDeclarations } from './declarations.js'
import { ruleLibrary } from './entitlement/library.js'
import { expireExemptionsJob, expireExemptionsSchedule } from './exemption/sweep.js'
import { COMPLIANCE_NOTIFICATIONS } from './notice/text.js'
import { complianceOperations } from './operations.js'
import { choosePort } from './port/choose.js'
import { recheckJob } from './recheck/job.js'
import { lastRecheck } from './recheck/last.js'
import { complianceRegistration } from './registration.js'
import { scanJob } from './scan/job.js'
import { rescanJob, rescanOthersJob } from './scan/rescan.js'
import { dueScansJob, dueScansSchedule } from './scan-schedule/due.js'
import { sealChecksJob, sealChecksSchedule } from './seal/job.js'
import { pruneChecksJob, pruneChecksSchedule } from './seal/prune.js'
import { tellSubscribersJob } from './subscription/notify-subscribers.js'
import { SWEEP_JOBS, SWEEP_SCHEDULES } from './sweep.js'
import { complianceTables } from './tables.js'

export { loadHostContent } from './content/host.js'
export type { LoadedContent } from './content/load.js'

export const compliance = defineDomain({
  ...complianceDeclarations,
  operations: complianceOperations,
  jobs: (settings) => [
    recheckJob,
    pruneChecksJob,
    ...SWEEP_JOBS,
    tellSubscribersJob,
    expireExemptionsJob,
    scanJob,
    rescanJob,
    rescanOthersJob,
    dueScansJob(settings),
    sealChecksJob,
  ],
  schedules: (settings) => [
    pruneChecksSchedule,
    ...SWEEP_SCHEDULES,
    expireExemptionsSchedule,
    dueScansSchedule(settings),
    sealChecksSchedule,
  ],
  tables: [complianceTables],
  registration: complianceRegistration,
  provides: [
    provide(compliancePort, ({ settings }) => choosePort(settings)),
    provide(lastRecheckPort, () => lastRecheck),
    provide(ruleLibraryPort, () => ruleLibrary),
    provide(notificationsOf('compliance'), () => COMPLIANCE_NOTIFICATIONS),
  ],
  requires: [compliancePort, notificationPort],
  async firstContent(runtime) {
    const content = await loadFirstContent(runtime)
    if (content !== null) runtime.log?.write('server.content_published', { rules: content.added.length })
  },
})
