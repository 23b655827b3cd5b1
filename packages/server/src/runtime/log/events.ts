/**
 * Every event that the server logs: its name, its level, its message and what an operator does about it. The name is
 * `domain.noun_verb` and stays when the message is reworded, so that searches and alerts go on finding it.
 */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

interface LogEventEntry {
  readonly level: LogLevel
  readonly message: string
  /** For the operator's reference. */
  readonly means: string
}

const event = (level: LogLevel, message: string, means: string): LogEventEntry => ({ level, message, means })

export const LOG_EVENTS = {
  'server.ready': event('info', 'ready', 'The server listens at `url`.'),
  'server.setting_warned': event(
    'warn',
    'a setting is questionable',
    'The message says which setting, and what is wrong.',
  ),
  'server.demo_history_failed': event(
    'warn',
    'the demo has less history than it should',
    'The demo itself works. An empty data directory gets a new one.',
  ),
  'server.setting_noted': event(
    'info',
    'what follows from the settings',
    'The message says what the settings mean together.',
  ),
  'server.content_published': event(
    'info',
    'published the rule libraries',
    'The first start loaded `rules` published rules.',
  ),
  'server.data_folder_shared': event(
    'warn',
    'another server uses this data folder: stop one of them',
    'Two servers on one SQLite file learn of each other late. Stop one of them.',
  ),
  'server.shutdown_started': event(
    'info',
    'shutting down',
    'New requests are refused; `inFlight` requests are finished first.',
  ),
  'server.shutdown_timed_out': event(
    'warn',
    'shutdown timeout: cutting the requests and jobs that still run',
    'SHUTDOWN_GRACE_MS passed with `inFlight` requests. Raise it, or look for slow requests.',
  ),
  'server.stopped': event('info', 'stopped', 'The process ended in order.'),
  'health.check_failed': event(
    'warn',
    'a health check fails',
    '`check` names what does not answer; `/readyz` shows the same.',
  ),
  'health.check_recovered': event('info', 'a health check succeeds again', '`check` answers again.'),
  'http.request_served': event('debug', 'request', 'One request that was answered.'),
  'http.request_refused': event(
    'info',
    'request refused',
    'One request that was refused; `route` and `status` say which.',
  ),
  'http.request_failed': event(
    'error',
    'request failed',
    'One request with a 5xx answer. The request id finds its other lines.',
  ),
  'http.operation_failed': event(
    'error',
    'an operation failed unexpectedly',
    'A fault in the server: report it with `error` and the request id.',
  ),
  'registry.tag.copy': event(
    'info',
    'an image was copied in the registry',
    'A system administrator copied `source` to `target`. Look at those with `isPromotionToSystem`: everybody may pull them.',
  ),
  'registry.tag.delete': event(
    'info',
    'an image was deleted from the registry',
    'A system administrator deleted `ref` of `repo`, which named `digest`.',
  ),
  'plugin.image_tool_failed': event(
    'warn',
    'the program that looks at built images failed',
    'The image goes on without what the program of `setting` would have said, and `reason` says what went wrong: rules that ask for it block.',
  ),
  'registry.image_drifted': event(
    'warn',
    'a tag of a plugin named another image, and was put back',
    'Somebody wrote into `repo` past the server: `ref` named `found`. Look at who may push to the registry.',
  ),
  'builder.started': event(
    'info',
    'started a builder',
    'The server started a builder on its own machine, under `name`.',
  ),
  'builder.not_started': event(
    'warn',
    'no builder was started here: builds wait for one elsewhere',
    '`lacks` says what the machine lacks, each with its fix; `plumbline doctor --server` says the same. Or run `plumbline builder` on another machine.',
  ),
  'builder.said': event('info', 'the builder says something', 'A line of the builder that the server started.'),
  'builder.ended': event(
    'warn',
    'the builder ended by itself',
    'It is started again after `againSeconds`. The lines of `builder.said` before say why.',
  ),
  'store.slow_write': event(
    'warn',
    'slow write: a transaction stayed open and delayed other writes',
    'An operation held the write lock for more than 50 ms. A fault in the operation, or a slow disk.',
  ),
  'store.connection_lost': event(
    'warn',
    'lost a connection to the database',
    'The pool opens another one. Repeated: look at the database and the network.',
  ),
  'redis.connection_lost': event(
    'debug',
    'Redis is not reachable',
    'The server works without Redis, slower; `/readyz` names it.',
  ),
  'redis.connection_ready': event('debug', 'Redis is reachable', 'The connection is up.'),
  'bus.message_unreadable': event(
    'warn',
    'could not read a message of another process',
    'Replicas of different versions, or a foreign publisher on the channel.',
  ),
  'bus.publish_failed': event('debug', 'could not publish to other processes', 'They find the change by polling.'),
  'bus.subscribe_failed': event('warn', 'could not subscribe to a channel', 'This process polls instead.'),
  'bus.connection_lost': event(
    'warn',
    'lost the notification connection: polling once a second',
    'Messages between processes arrive up to a second late until `bus.connection_ready`.',
  ),
  'bus.connection_ready': event(
    'debug',
    'notification connection is up',
    'Processes notify one another through PostgreSQL.',
  ),
  'scheduler.leader_acquired': event(
    'info',
    'acquired the scheduler lease: this process queues the schedules',
    'This process is the leader.',
  ),
  'scheduler.leader_lost': event(
    'warn',
    'lost the scheduler lease: another process queues the schedules',
    'Expected after a pause of the process or a database outage. Repeated: the process is too slow.',
  ),
  'scheduler.poll_failed': event(
    'error',
    'could not read the schedules; retrying',
    'The next poll tries again. Look at the database.',
  ),
  'billing.call_failed': event(
    'error',
    'a call of the billing provider failed in a way that is not known',
    'The call `call` is read and sent again. The error says what is wrong; `plumbline billing admin calls` lists calls.',
  ),
  'billing.cancel_unconfirmed': event(
    'error',
    'an account that canceled was charged: its provider never confirmed the cancelation',
    'Refund invoice `invoice` of organization `org` at the provider; the cancelation is sent again until it is confirmed.',
  ),
  'billing.delivery_failed': event(
    'warn',
    'a delivery of the billing provider could not be handled',
    'It is tried again, eight times in all. `plumbline billing admin webhooks` lists deliveries and replays them.',
  ),
  'billing.delivery_unbound': event(
    'warn',
    'a delivery of the billing provider is about nothing of ours',
    'Somebody made a subscription at the provider by hand, or two servers share its account. `event` names the delivery.',
  ),
  'billing.grace_unknown': event(
    'warn',
    'a grace period is over, and the billing provider does not say whether it was paid meanwhile',
    'Organization `org` keeps its plan until the provider answers; `plumbline doctor` says whether it does.',
  ),
  'billing.metering_duplicate': event(
    'error',
    'the marketplace has other units for an hour than were reported',
    'Compare hour `hour` of purchase `purchase` with the metering records of the marketplace: another deployment may report for the same product.',
  ),
  'billing.metering_partial': event(
    'warn',
    'an hour could not be reported to the marketplace in time',
    'Its units are not billed, and its credit can be used again. `purchase` and `hour` say which.',
  ),
  'billing.metering_refused': event(
    'warn',
    'the marketplace refused a report of usage',
    'Hour `hour` of purchase `purchase` is sent again until it lapses. `code` is the word of the marketplace; `plumbline doctor` checks the settings.',
  ),
  'billing.metering_unsubscribed': event(
    'warn',
    'the marketplace says that a customer is not subscribed',
    'Hour `hour` of purchase `purchase` is not billed; its entitlements are read again.',
  ),
  'billing.metering_withheld': event(
    'info',
    'a dry run computed what credit would have withheld',
    'Units were reported in full, and no credit was used. `cents` is what they are worth.',
  ),
  'billing.credit_unrealizable': event(
    'warn',
    'an account has credit that no metered usage can use',
    'Credit offsets metered add-ons alone; give a private offer at the marketplace for the plan. `purchase` says which.',
  ),
  'billing.marketplace_away': event(
    'warn',
    'the marketplace does not answer',
    'Nothing is lost: hours are reported when it answers again, for 23 hours. `plumbline doctor` says whether it does.',
  ),
  'billing.marketplace_unread': event(
    'warn',
    'the entitlements of a purchase could not be read',
    'The account keeps what it has; they are read again. `purchase` says which, `code` why.',
  ),
  'billing.notice_unsubscribed': event(
    'warn',
    'the topic of the marketplace says that it no longer sends here',
    'Subscribe the endpoint to the topic again, unless that was meant.',
  ),
  'billing.provider_drift': event(
    'warn',
    'account and billing provider differed',
    'The comparison found `found` differences and repaired `repaired`; `plumbline billing admin reconcile` compares again and lists what differs.',
  ),
  'job.retried': event(
    'warn',
    'job failed and will be retried',
    '`job`, `kind`, `attempt` and `error` say which and why.',
  ),
  'job.dead_lettered': event(
    'error',
    'job failed for the last time and is a dead letter',
    'Nothing tries it again. Its row stays for 30 days with `error`; fix the cause and repeat what queued it.',
  ),
  'job.outcome_unwritten': event(
    'error',
    'could not store the outcome of a job',
    'Another worker takes the job when its lease ends.',
  ),
  'job.lease_renewal_failed': event(
    'warn',
    'could not renew the lease of a job',
    'Another worker may take the job over; this one then writes nothing.',
  ),
  'queue.poll_failed': event(
    'error',
    'could not read the job queue; retrying',
    'The next sweep tries again. Look at the database.',
  ),
  'queue.sweep_failed': event(
    'error',
    'a sweep of the job queue failed; retrying',
    'The next sweep tries again. Look at the database.',
  ),
  'queue.leases_expired': event(
    'warn',
    'took over jobs whose lease expired',
    '`jobs` jobs belonged to workers that stopped or stalled.',
  ),
  'quota.api_calls_unwritten': event(
    'warn',
    'could not write the count of API calls; retrying',
    'The counts stay in memory until the database answers.',
  ),
  'audit.task_failed': event(
    'error',
    'a background task of the audit log failed; retrying',
    'Sealing, checkpoints, retention or the spool. Events stay in the outbox. `/readyz` names a lag of more than 60 seconds.',
  ),
} as const satisfies Record<string, LogEventEntry>

export type LogEvent = keyof typeof LOG_EVENTS

/** `docs/reference/log-events.md`. */
export function logEventsPage(): string {
  const rows = Object.entries(LOG_EVENTS).map(
    ([name, { level, message, means }]) => `| \`${name}\` | ${level} | ${message} | ${means} |`,
  )
  return `# Log events

Every line of the server's log has an \`event\`. Search and alert by it: the name stays, the message may be reworded. Written from
\`packages/server/src/runtime/log/events.ts\` by \`npm run generate\`; a test holds this page to it.

\`\`\`sh
plumbline serve | jq -c 'select(.event == "job.dead_lettered")'
\`\`\`

Lines of \`debug\` need \`LOG_LEVEL=debug\`. Secrets are hidden in every field and message.

| Event | Level | Message | Means, and what to do |
|---|---|---|---|
${rows.join('\n')}
`
}
