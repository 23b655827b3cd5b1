/**
 * Every event that the server logs: its name, its level, its message, and what an operator does about it. The name is
 * `domain.noun_verb`. It stays when the message is reworded, so that searches and alerts keep working.
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
    'The demo works. To get a complete one, start with an empty data directory.',
  ),
  'server.setting_noted': event(
    'info',
    'the settings have a consequence',
    'The message names the settings and the consequence.',
  ),
  'server.content_published': event(
    'info',
    'published the rule libraries',
    'The first start loaded `rules` published rules.',
  ),
  'server.data_folder_shared': event(
    'warn',
    'another server uses this data folder: stop one of them',
    "Two servers on one SQLite file do not see each other's changes at once. Stop one of them.",
  ),
  'server.shutdown_started': event(
    'info',
    'shutting down',
    'New requests are refused; `inFlight` requests are finished first.',
  ),
  'server.shutdown_timed_out': event(
    'warn',
    'shutdown timeout: cutting the requests and jobs that still run',
    'SHUTDOWN_GRACE_MS passed with `inFlight` requests. Increase it, or find out which requests are slow.',
  ),
  'server.stopped': event('info', 'stopped', 'The process ended normally.'),
  'health.check_failed': event(
    'warn',
    'a health check fails',
    '`check` names the dependency that does not answer; `/readyz` shows the same.',
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
    'One request with a 5xx answer. Its request id is in the other lines about it.',
  ),
  'http.operation_failed': event(
    'error',
    'an operation failed unexpectedly',
    'A fault in the server: report it with `error` and the request id.',
  ),
  'registry.tag.copy': event(
    'info',
    'an image was copied in the registry',
    'A system administrator copied `source` to `target`. Review those with `isPromotionToSystem`: everybody can pull them.',
  ),
  'registry.tag.delete': event(
    'info',
    'an image was deleted from the registry',
    'A system administrator deleted `ref` of `repo`, with the digest `digest`.',
  ),
  'plugin.image_tool_failed': event(
    'warn',
    'the program that scans built images failed',
    'The image continues without the result of the program in `setting`; `reason` says what went wrong. Rules that need the result block.',
  ),
  'registry.image_drifted': event(
    'warn',
    'the tag of a plugin image was moved from outside, and was restored',
    'A program other than the server wrote to `repo`: `ref` was `found`. Check who can push to the registry.',
  ),
  'builder.started': event(
    'info',
    'started a builder',
    'The server started a builder on its own machine, with the name `name`.',
  ),
  'builder.not_started': event(
    'warn',
    'no builder was started on this machine: builds wait for another one',
    '`lacks` lists what the machine lacks, each with its fix; `plumbline doctor --server` lists the same. Or run `plumbline builder` on another machine.',
  ),
  'builder.said': event('info', 'output of the builder', 'A line of the builder that the server started.'),
  'builder.ended': event(
    'warn',
    'the builder exited unexpectedly',
    'It is restarted after `againSeconds`. The earlier lines of `builder.said` give the reason.',
  ),
  'store.migrated': event(
    'info',
    'migrated the database to the schema of this build',
    '`migrations` migrations were applied in `ms`. On an empty PostgreSQL this takes seconds; the start continues afterwards.',
  ),
  'store.slow_write': event(
    'warn',
    'slow write: a transaction stayed open and delayed other writes',
    'An operation held the write lock for more than 50 ms. Either the operation or the disk is slow.',
  ),
  'store.connection_lost': event(
    'warn',
    'lost a connection to the database',
    'The pool opens another one. If it repeats, check the database and the network.',
  ),
  'redis.connection_lost': event(
    'debug',
    'Redis is not reachable',
    'The server works without Redis, but slower; `/readyz` names it.',
  ),
  'redis.connection_ready': event('debug', 'Redis is reachable', 'The connection is up.'),
  'bus.message_unreadable': event(
    'warn',
    'could not read a message of another process',
    'Replicas run different versions, or another program publishes on the channel.',
  ),
  'bus.publish_failed': event(
    'debug',
    'could not publish to other processes',
    'Other processes find the change by polling.',
  ),
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
    'Expected after a pause of the process or a database outage. If it repeats, the process is too slow.',
  ),
  'scheduler.poll_failed': event(
    'error',
    'could not read the schedules; retrying',
    'The next poll tries again. Check the database.',
  ),
  'billing.call_failed': event(
    'error',
    'a call to the billing provider failed with an unknown result',
    'The call `call` is read and sent again. `error` says what is wrong; `plumbline billing admin calls` lists calls.',
  ),
  'billing.account_failed': event(
    'error',
    'a job of billing failed for one account',
    'The next round tries organization `org` again; other accounts are not affected. `error` says what is wrong.',
  ),
  'organization.purge_waits': event(
    'warn',
    'a deleted organization is not purged yet: something outside goes on for it',
    'If `domain` is billing, the provider has not confirmed that the subscription of organization `org` is canceled. The next purge checks again; `plumbline billing admin calls` lists the waiting calls. If the subscription was sold with another BILLING_PROVIDER than the current one, end it at that provider, and then on the server with `plumbline billing admin subscriptions override`.',
  ),
  'billing.cancel_unconfirmed': event(
    'error',
    'an account was charged after its cancelation: the provider never confirmed the cancelation',
    'Refund invoice `invoice` of organization `org` at the provider; the cancelation is sent again until it is confirmed.',
  ),
  'billing.delivery_failed': event(
    'warn',
    'a delivery of the billing provider could not be processed',
    'It is retried, eight times in all. `plumbline billing admin webhooks` lists deliveries and replays them.',
  ),
  'billing.delivery_refused': event(
    'warn',
    'a delivery was refused, because nothing proves that it comes from the billing provider',
    'Nothing was stored. `reason` says what to compare, and `field` names the field of a notice: `MARKETPLACE_SNS_TOPIC_ARN` or `CARD_PROVIDER_WEBHOOK_SECRET` of this server may be those of another endpoint. A stranger can cause it too.',
  ),
  'billing.delivery_unbound': event(
    'warn',
    'a delivery of the billing provider matches no subscription of this server',
    'Somebody created a subscription at the provider by hand, or two servers share its account. `event` is the delivery.',
  ),
  'billing.grace_unknown': event(
    'warn',
    'a grace period ended, and the billing provider does not answer whether the invoice was paid',
    'Organization `org` keeps its plan until the provider answers; `plumbline doctor` says whether it does.',
  ),
  'billing.metering_duplicate': event(
    'error',
    'the marketplace recorded other units for an hour than were reported',
    'Compare hour `hour` of purchase `purchase` with the metering records of the marketplace: another deployment may report for the same product.',
  ),
  'billing.metering_partial': event(
    'warn',
    'an hour could not be reported to the marketplace in time',
    'Its units are not billed, and its credit can be used again. `purchase` and `hour` identify it.',
  ),
  'billing.metering_skipped': event(
    'warn',
    'hours were not counted, because this server did not run in them',
    'The marketplace takes usage for a day, so the `hours` hours of purchase `purchase` from `hour` on are not billed.',
  ),
  'billing.metering_refused': event(
    'warn',
    'the marketplace refused a report of usage',
    'Hour `hour` of purchase `purchase` is sent again until it expires. `providerCode` is the error of the marketplace; `plumbline doctor` checks the settings.',
  ),
  'billing.metering_unsubscribed': event(
    'warn',
    'the marketplace reports that a customer is not subscribed',
    'Hour `hour` of purchase `purchase` is not billed; its entitlements are read again.',
  ),
  'billing.metering_withheld': event(
    'info',
    'a dry run calculated what credit would have withheld',
    'Units were reported in full, and no credit was used. `cents` is their value.',
  ),
  'billing.credit_unrealizable': event(
    'warn',
    'an account has credit that no metered usage can use',
    'Credit can only pay for metered add-ons; create a private offer for the plan at the marketplace. `purchase` identifies it.',
  ),
  'billing.marketplace_away': event(
    'warn',
    'the marketplace does not answer',
    'Nothing is lost: hours are reported when it answers again, for 23 hours. `providerCode` is its last error; `plumbline doctor` says whether it answers.',
  ),
  'billing.marketplace_unread': event(
    'warn',
    'the entitlements of a purchase could not be read',
    'The account keeps its entitlements; they are read again. `purchase` identifies it, `providerCode` is the reason.',
  ),
  'billing.notice_unsubscribed': event(
    'warn',
    'the topic of the marketplace no longer sends to this server',
    'Subscribe the endpoint to the topic again, unless this was intended.',
  ),
  'billing.provider_locked_out': event(
    'error',
    'the card provider does not accept the key of this server',
    'Set `CARD_PROVIDER_SECRET_KEY` to a key that may do this, and restart: call `call` is sent again until then. `providerCode` is the error of the provider; `plumbline doctor` asks it with the key of this host.',
  ),
  'billing.entitlement_drift': event(
    'warn',
    'an account did not have what its subscription entitles it to',
    '`differs` of organization `org` differed; `repaired` says whether it was put right. `plumbline billing admin entitlements show` compares again.',
  ),
  'billing.provider_drift': event(
    'warn',
    'account and billing provider differed',
    'The comparison found `found` differences and repaired `repaired`; `plumbline billing admin reconcile` compares again and lists what differs.',
  ),
  'job.retried': event(
    'warn',
    'job failed and will be retried',
    '`job`, `kind`, `attempt` and `error` identify the job and the reason.',
  ),
  'job.dead_lettered': event(
    'error',
    'job failed for the last time and is a dead letter',
    'It is not retried. Its row is kept for 30 days with `error`; fix the cause and repeat the action that queued it.',
  ),
  'job.outcome_unwritten': event(
    'error',
    'could not store the outcome of a job',
    'Another worker takes the job when its lease ends.',
  ),
  'job.lease_renewal_failed': event(
    'warn',
    'could not renew the lease of a job',
    'Another worker may take over the job; this one then writes nothing.',
  ),
  'queue.poll_failed': event(
    'error',
    'could not read the job queue; retrying',
    'The next sweep tries again. Check the database.',
  ),
  'queue.sweep_failed': event(
    'error',
    'a sweep of the job queue failed; retrying',
    'The next sweep tries again. Check the database.',
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

Every line of the server's log has an \`event\`. Search and alert by it: the name stays, the message may be reworded. \`npm run generate\` writes this page from
\`packages/server/src/runtime/log/events.ts\`; a test compares the two.

\`\`\`sh
plumbline serve | jq -c 'select(.event == "job.dead_lettered")'
\`\`\`

Lines of \`debug\` need \`LOG_LEVEL=debug\`. Secrets are hidden in every field and message.

| Event | Level | Message | Means, and what to do |
|---|---|---|---|
${rows.join('\n')}
`
}
