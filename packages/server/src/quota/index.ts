/** What other domains of the server may import from the quota domain. */
import { defineDomain, provide } from '../runtime/manifest.js'
import { callMeterPort } from '../runtime/operation/call-meter.js'
import { perRuntime } from '../runtime/per-runtime.js'
import { capacityPort } from '../runtime/records/capacity.js'
import { notificationsOf } from '../runtime/records/notification.js'
import { capacityOfAccounts } from './capacity/port.js'
import { quotaDeclarations } from './declarations.js'
import { apiCalls } from './meter/api-calls.js'
import { nearLimitJob } from './notice/job.js'
import { QUOTA_NOTIFICATIONS } from './notice/text.js'
import { QUOTA_OPERATIONS } from './operations.js'
import { quotaRegistration } from './registration.js'
import { sweepQuotasJob, sweepQuotasSchedule } from './sweep.js'
import { quotaTables } from './tables.js'

export { accountOrgIds } from './account/limit.js'
export { checkUse } from './meter/check-use.js'
export { consume } from './meter/consume.js'
export { usageByTeam } from './quota/by-team.js'
export { readGrants, setGrants } from './quota/grant.js'
export { readQuotaView } from './quota/read.js'
export { countUsed } from './usage/count.js'

const apiCallsOf = perRuntime((runtime) =>
  apiCalls(runtime, (error) => runtime.log?.write('quota.api_calls_unwritten', { error })),
)

export const quota = defineDomain({
  ...quotaDeclarations,
  operations: QUOTA_OPERATIONS,
  jobs: [nearLimitJob, sweepQuotasJob],
  schedules: [sweepQuotasSchedule],
  tables: [quotaTables],
  registration: quotaRegistration,
  provides: [
    provide(capacityPort, capacityOfAccounts),
    provide(callMeterPort, apiCallsOf),
    provide(notificationsOf('quota'), () => QUOTA_NOTIFICATIONS),
  ],
  requires: [callMeterPort],
  services: (runtime) => [apiCallsOf(runtime).service],
})
