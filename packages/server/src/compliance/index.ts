/** What other parts of the server may know of the compliance domain. */
import type { Module } from '../runtime/module.js'
import type { Settings } from '../runtime/settings/load.js'
import { pruneChecksJob, pruneChecksSchedule } from './check/prune.js'
import { expireExemptionsJob, expireExemptionsSchedule } from './exemption/sweep.js'
import { digestJob, digestsJob, digestsSchedule } from './notification/digest.js'
import { notificationMail } from './notification/mail.js'
import { notifyJob } from './notification/notify.js'
import { pruneNotificationsJob, pruneNotificationsSchedule } from './notification/prune.js'
import { webhookJob } from './notification/webhook.js'
import { complianceOperations } from './operations.js'
import { recheckJob } from './recheck/job.js'
import { complianceRegistration } from './registration.js'
import { SWEEP_JOBS, SWEEP_SCHEDULES } from './rule/sweep.js'
import { scanJob } from './scan/job.js'
import { rescanJob, rescanOthersJob } from './scan/rescan.js'
import { dueScansJob, dueScansSchedule } from './schedule/due.js'
import { sealChecksJob, sealChecksSchedule } from './seal/job.js'
import { tellSubscribersJob } from './subscription/tell.js'

export { loadHostContent } from './content/host.js'
export { type LoadedContent, loadFirstContent } from './content/load.js'
export { choosePort } from './port/choose.js'
export { lastRecheck } from './recheck/last.js'
export { ruleLibrary } from './subscription/library.js'

export const complianceModule = (settings: Settings): Module => ({
  name: 'compliance',
  operations: complianceOperations,
  jobs: [
    recheckJob,
    pruneChecksJob,
    ...SWEEP_JOBS,
    tellSubscribersJob,
    expireExemptionsJob,
    notifyJob,
    webhookJob,
    digestJob,
    digestsJob(settings),
    pruneNotificationsJob,
    scanJob,
    rescanJob,
    rescanOthersJob,
    dueScansJob(settings),
    sealChecksJob,
  ],
  schedules: [
    pruneChecksSchedule,
    ...SWEEP_SCHEDULES,
    expireExemptionsSchedule,
    pruneNotificationsSchedule,
    dueScansSchedule(settings),
    sealChecksSchedule,
    digestsSchedule(settings),
  ],
  templates: [notificationMail],
  registration: complianceRegistration,
})
