/** What other parts of the server may know of the quota domain. */
import type { Module } from '../runtime/module.js'
import { nearLimitJob } from './notice/job.js'
import { QUOTA_OPERATIONS } from './operations.js'
import { quotaRegistration } from './registration.js'
import { sweepQuotasJob, sweepQuotasSchedule } from './sweep.js'

export { capacityPort } from './capacity/port.js'
export { apiCalls } from './meter/api-calls.js'

export const quotaModule: Module = {
  name: 'quota',
  operations: QUOTA_OPERATIONS,
  jobs: [nearLimitJob, sweepQuotasJob],
  schedules: [sweepQuotasSchedule],
  templates: [],
  registration: quotaRegistration,
}
