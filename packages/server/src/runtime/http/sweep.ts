/** Deletes what requests stored for their retries. */
import { HOUR_MS } from '../clock.js'
import { defineJob, defineSchedule } from '../jobs/define.js'
import { none } from '../operation/operation.js'
import { strictObject } from '../operation/schema.js'
import { sweepIdempotencyKeys } from './idempotency.js'

export const sweepRequestsJob = defineJob({
  kind: 'http.idempotency.sweep',
  payload: strictObject({}),
  audit: none('answers that were kept for retries have run out'),
  concurrency: 1,
  async run({ runtime }) {
    await sweepIdempotencyKeys(runtime)
  },
})

export const sweepRequestsSchedule = defineSchedule({
  name: 'http.idempotency.sweep',
  kind: sweepRequestsJob.kind,
  everyMs: HOUR_MS,
  payload: {},
})
