/** Background work of a provider; none where nobody charges. */
import type { Schedule } from '../runtime/jobs/define.js'
import type { Settings } from '../runtime/settings/load.js'
import { callsSchedule } from './call/job.js'
import { reconcileSchedule } from './reconcile/job.js'
import { webhooksSchedule } from './webhook/job.js'

export const providerSchedules = (settings: Settings): readonly Schedule[] =>
  settings.BILLING_PROVIDER === 'stub' ? [] : [callsSchedule, webhooksSchedule, reconcileSchedule(settings)]
