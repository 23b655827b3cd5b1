/** The kind of the job that continues calls. A request queues one when it leaves a call open. */
export const CALLS_KIND = 'billing.calls'
