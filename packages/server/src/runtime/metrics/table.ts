/**
 * Every metric: name, kind, labels, meaning. The names are types too: a misspelled one does not compile.
 * Source: spec billing-audit 24; spec billing-audit 28.
 */
export interface MetricSpec {
  readonly name: string
  readonly kind: 'counter' | 'gauge' | 'histogram'
  readonly help: string
  readonly labels?: readonly string[]
  readonly buckets?: readonly number[]
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export const METRIC_TABLE = [
  {
    name: 'http_requests_total',
    kind: 'counter',
    labels: ['method', 'route', 'status'],
    help: 'Requests by route template and status',
  },
  {
    name: 'http_request_duration_seconds',
    kind: 'histogram',
    labels: ['method', 'route'],
    buckets: SECONDS,
    help: 'Time from the request to its answer',
  },
  { name: 'http_requests_in_flight', kind: 'gauge', help: 'Requests that are being processed' },
  { name: 'jobs_total', kind: 'counter', labels: ['kind', 'result'], help: 'Job attempts: done, retried, dead, lost' },
  { name: 'job_duration_seconds', kind: 'histogram', labels: ['kind'], buckets: SECONDS, help: 'Time of one attempt' },
  { name: 'jobs_waiting', kind: 'gauge', labels: ['kind'], help: 'Jobs that are due and wait for a worker' },
  { name: 'jobs_running', kind: 'gauge', labels: ['kind'], help: 'Jobs with a lease' },
  { name: 'jobs_dead', kind: 'gauge', labels: ['kind'], help: 'Dead letters' },
  { name: 'jobs_oldest_due_seconds', kind: 'gauge', help: 'Age of the oldest job that is due' },
  { name: 'scheduler_is_leader', kind: 'gauge', help: '1 in the replica that queues the schedules' },
  { name: 'scheduler_ticks_total', kind: 'counter', labels: ['schedule'], help: 'Ticks that this replica queued' },
  { name: 'store_groups_total', kind: 'counter', help: 'Durable commits of SQLite' },
  { name: 'store_operations_total', kind: 'counter', help: 'Operations in these commits' },
  { name: 'store_lost_groups_total', kind: 'counter', help: 'Failed commits of SQLite' },

  { name: 'audit_outbox_pending', kind: 'gauge', help: 'Audit events that are not sealed yet' },
  { name: 'audit_outbox_oldest_seconds', kind: 'gauge', help: 'Age of the oldest unsealed event' },
  { name: 'audit_append_retry_total', kind: 'counter', help: 'Sealing attempts that another process overtook' },
  {
    name: 'audit_emitted_total',
    kind: 'counter',
    labels: ['service', 'outcome'],
    help: 'Events that were sent to the log',
  },
  { name: 'audit_dropped_total', kind: 'counter', labels: ['service', 'reason'], help: 'Events that were dropped' },
  { name: 'audit_spool_enqueued_total', kind: 'counter', labels: ['service'], help: 'Events that went to the spool' },
  { name: 'audit_spool_dropped_total', kind: 'counter', labels: ['service'], help: 'Events that a full spool dropped' },
  {
    name: 'audit_spool_redelivered_total',
    kind: 'counter',
    labels: ['service'],
    help: 'Events that the spool delivered later',
  },
  {
    name: 'compliance_scan_errors_total',
    kind: 'counter',
    help: 'Records that a scan could not evaluate',
    labels: ['target'],
  },
  { name: 'audit_verify_broken_total', kind: 'counter', help: 'Verifications that found a chain broken' },
  {
    name: 'billing_marketplace_metering_partial_total',
    kind: 'counter',
    help: 'Hours of metering that could not be reported in time',
  },
  {
    name: 'billing_marketplace_credit_unrealizable_total',
    kind: 'counter',
    help: 'Hours of an account with credit that no metered usage could use',
  },
] as const satisfies readonly MetricSpec[]

type Named<K extends MetricSpec['kind']> = Extract<(typeof METRIC_TABLE)[number], { readonly kind: K }>['name']
export type CounterName = Named<'counter'>
export type GaugeName = Named<'gauge'>
export type HistogramName = Named<'histogram'>
