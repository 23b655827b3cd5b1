/** Compares accounts with the provider, every 15 minutes by default. */
import { defineJob, defineSchedule } from '../../runtime/jobs/define.js'
import { strictObject } from '../../runtime/operation/schema.js'
import type { Settings } from '../../runtime/settings/load.js'
import { SUBSCRIPTION_ACTIONS } from '../account/writing.js'
import { settlingIn } from '../call/job.js'
import { providerOf } from '../charge/open.js'
import { reconcile } from './run.js'

const KIND = 'billing.reconcile'

export const reconcileJob = defineJob({
  kind: KIND,
  payload: strictObject({}),
  audit: SUBSCRIPTION_ACTIONS,
  concurrency: 1,
  leaseMs: 300_000,
  async run(context) {
    const { runtime } = context
    if (!runtime.settings.BILLING_ENABLED || providerOf(runtime).isLocal) return
    await reconcile(settlingIn(context))
  },
})

export const reconcileSchedule = ({
  BILLING_RECONCILE_INTERVAL_MS: everyMs,
}: Pick<Settings, 'BILLING_RECONCILE_INTERVAL_MS'>) => defineSchedule({ name: KIND, kind: KIND, everyMs, payload: {} })
