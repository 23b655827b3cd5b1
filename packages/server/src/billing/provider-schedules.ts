/** Job schedules of a provider; none when nobody charges. */

import type { Schedule } from '../runtime/jobs/define.js'
import type { Settings } from '../runtime/settings/load.js'
import { callsSchedule } from './call/job.js'
import { meteringSchedule } from './metering/job.js'
import { entitlementsSchedule } from './purchase/job.js'
import { reconcileSchedule } from './reconcile/job.js'
import { webhooksSchedule } from './webhook/job.js'

export function providerSchedules(settings: Settings): readonly Schedule[] {
  switch (settings.BILLING_PROVIDER) {
    case 'stub':
      return []
    case 'card_provider':
      return [callsSchedule, webhooksSchedule, reconcileSchedule(settings)]
    case 'marketplace':
      return [webhooksSchedule, entitlementsSchedule(settings), meteringSchedule(settings)]
  }
}
