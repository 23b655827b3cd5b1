/** The kind of the job that goes on with calls; a request queues one when it leaves a call behind. */
export const CALLS_KIND = 'billing.calls'
