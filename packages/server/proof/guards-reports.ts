/**
 * Lines that hold reports to their facts. Each was taken out in a copy, and its test failed there.
 */
import { drop, type Guard, guard, never, swap, value } from './guard.js'

export const REPORT_GUARDS: readonly Guard[] = [
  guard('events-come-from-machines', value("permission('reports:read')"), 'reporting/event/ingest'),
  guard('events-reach-only-pipelines-of-the-senders-organizations', drop, 'reporting/event/ingest'),
  guard('an-end-is-not-before-its-beginning', never, 'reporting/ingest/fold'),
  guard('no-event-from-the-future', never, 'reporting/ingest/fold'),
  guard(
    'errors-are-scrubbed-before-they-are-stored',
    swap('hideSecrets(scrubText(text', '((text'),
    'reporting/ingest/fold',
  ),
  guard('the-highest-attempt-wins', swap('>=', '<'), 'reporting/ingest/fold'),
  guard('of-one-key-the-greater-event-stays', never, 'reporting/event/ingest'),
  guard('what-is-older-than-the-kept-facts-is-not-taken', never, 'reporting/event/ingest'),
  guard('a-deployment-is-told-beside-a-job-of-its-name', drop, 'reporting/webhook/deliveries'),
  guard(
    'each-deploying-job-is-told-by-itself',
    swap("'check_run', 'name'", "'check_run', 'none'"),
    'reporting/webhook/deliveries',
  ),
  guard('parked-events-have-a-limit', swap('PARKED_MAX', '1e9'), 'reporting/parked/park'),
  guard('a-parked-event-that-comes-again-takes-no-room', value('new Set<string>()'), 'reporting/parked/park'),
  guard('a-lower-counter-is-a-restart', value('false'), 'reporting/event/ingest'),
  guard(
    'percentiles-are-interpolated',
    swap('low + (high - low) * (place - below)', 'high'),
    'reporting/metric/metric',
  ),
  guard(
    'bands-compare-exact-values',
    swap('failures * 100 <= 15 * attempts', 'Math.round((failures * 100) / attempts) <= 15'),
    'reporting/metric/metric',
  ),
  guard('weeks-begin-on-monday', swap('+ 3', '+ 4'), 'reporting/metric/metric'),
  guard(
    'a-link-stays-in-its-environment',
    swap('byEnvironment.get(incident.environment) ?? []', 'succeeded'),
    'reporting/dora/dora',
  ),
  guard('a-deployment-fails-once-however-many-incidents-it-has', drop, 'reporting/dora/dora'),
  guard(
    'an-incident-counts-for-no-deployment',
    swap(
      'succeeded.filter((each) => judged.flagged.has(unitKey(each)))',
      'judged.links.flatMap(({ deployment }) => succeeded.filter((each) => each === deployment))',
    ),
    'reporting/dora/dora',
  ),
  guard('a-redeploy-has-no-lead-time', never, 'reporting/dora/dora'),
  guard(
    'what-was-canceled-is-in-no-denominator',
    swap(
      'sorted[each.status].push(each)',
      'sorted[each.status].push(each)\n    else if (each.status === "canceled") sorted.failed.push(each)',
    ),
    'reporting/dora/dora',
  ),
  guard('a-window-is-not-reversed', never, 'reporting/execution/execution'),
  guard('reports-over-teams-need-their-permission', never, 'reporting/execution/execution'),
  guard('no-text-of-a-chart-is-markup', swap("ENTITIES[each] ?? ''", 'each'), 'reporting/report/chart'),
  guard('whose-execution-is-marked', swap('eq(s.orgId, orgId)', 'undefined'), 'reporting/dora/reports'),
  guard('an-execution-of-two-pipelines-is-ambiguous', never, 'reporting/dora/reports'),
  guard('restored-comes-after-failed', never, 'reporting/dora/reports'),
  guard('an-incident-is-resolved-after-it-opened', never, 'reporting/dora/reports'),
  guard('a-time-in-nanoseconds-is-read', swap('count / 1_000_000', 'count'), 'reporting/dora/reports'),
  guard('an-unknown-end-is-not-the-opening', never, 'reporting/dora/reports'),
  guard('a-note-of-an-incident-is-no-incident', never, 'reporting/dora/reports'),
  guard('a-deleted-alert-ends-its-incident', swap(" || action === 'Delete'", ''), 'reporting/dora/reports'),
  guard(
    'a-skipped-alert-has-the-place-that-was-sent',
    swap('incidents.push({ index,', 'incidents.push({ index: incidents.length,'),
    'reporting/dora/reports',
  ),
  guard('a-build-that-is-over-is-told', drop, 'reporting/plugin-build/builds'),
  guard(
    'a-delivery-of-a-source-is-signed-by-its-secret',
    swap('!isProven(', '!Boolean('),
    'reporting/webhook/deliveries',
  ),
  guard('of-several-pipelines-none-is-guessed', swap('=== 1', '>= 1'), 'reporting/webhook/deliveries'),
  guard('an-old-delivery-proves-nothing', never, 'reporting/webhook/deliveries'),
  guard('a-rotated-secret-ends', swap('(previousUntilMs ?? 0) > nowMs', 'true'), 'reporting/webhook/deliveries'),
  guard(
    'inactive-changes-nothing',
    // Without the line `inactive` is not a known state, and is ignored as well. The bug is to read it as an end.
    swap(
      "ignored(type, 'an inactive deployment was a success all the same')",
      "deployment(Object.assign({}, payload, { deployment_status: { ...(at(payload, 'deployment_status') as object), state: 'failure' } }), type, ref)",
    ),
    'reporting/webhook/deliveries',
  ),
  guard(
    'a-job-that-stops-an-environment-is-no-deployment',
    swap("=== 'start'", "!== 'x'"),
    'reporting/webhook/deliveries',
  ),
  guard('a-source-names-pipelines-of-its-organization-alone', never, 'reporting/webhook/deliveries'),
  guard('a-deployment-changes-the-days-after-it-too', value('own'), 'reporting/rollup/deployment-sums'),
  guard('a-commit-told-of-later-changes-the-days-of-its-deployments', value('[]'), 'reporting/rollup/deployment-sums'),
  guard('sums-follow-the-names-of-rework', never, 'reporting/rollup/deployment-sums'),
  guard('a-run-that-is-removed-leaves-its-sums', drop, 'reporting/retention-sync/retention'),
  guard('a-deleted-run-that-is-repeated-counts-once', value('new Map()'), 'reporting/rollup/swept-runs'),
  guard('a-day-that-is-forgotten-in-part-keeps-its-sums', never, 'reporting/rollup/swept-runs'),
  guard('a-closed-day-takes-no-event', never, 'reporting/retention-sync/retention'),
  guard('shrinking-waits-for-a-week', value('row.laterFromMs !== null'), 'reporting/retention-sync/retention'),
  guard('an-older-word-on-retention-is-refused', never, 'reporting/retention-sync/retention'),
  guard(
    'a-late-opening-erases-no-resolution',
    swap('{ resolvedMs, reopenedMs }', '{ resolvedMs: null, reopenedMs }'),
    'reporting/dora/reports',
  ),
  guard(
    'marked-days-are-read-as-facts-alone',
    swap('notInArray(t.dayMs, days)', 'undefined'),
    'reporting/rollup/rollup',
  ),
  guard(
    'each-firing-of-a-monitor-is-an-incident',
    swap("textAt(payload, 'alert_cycle_key')", "textAt(payload, 'alert_cycle_key') ?? textAt(payload, 'alert_id')"),
    'reporting/dora/reports',
  ),
  guard('an-incident-keeps-its-environment', swap(' || before?.environment', ''), 'reporting/dora/reports'),
  guard(
    'a-mark-stays-until-its-write-is-there',
    swap('onConflictDoUpdate', 'onConflictDoNothing'),
    'reporting/rollup/rollup',
  ),
  guard('one-incident-is-told-by-one-at-a-time', drop, 'reporting/dora/reports'),
  guard('one-forwarder-reports-one-at-a-time', drop, 'reporting/event/ingest'),
  guard('an-older-end-moves-no-incident-back', swap('resolvedMs ?? 0', '0'), 'reporting/dora/reports'),
  guard('an-end-of-before-stays', swap(', isNull(t.resolvedMs)', ''), 'reporting/webhook/deliveries'),
  guard('an-issue-that-is-gone-ends-its-incident', never, 'reporting/webhook/deliveries'),
  guard('an-issue-without-its-label-ends-its-incident', never, 'reporting/webhook/deliveries'),
  guard('an-end-before-a-reopening-ends-nothing', never, 'reporting/webhook/deliveries'),
  guard('a-late-reopening-erases-no-later-resolution', value('false'), 'reporting/webhook/deliveries'),
]

/** The bugs that reports must not have: `npm run proof -- server-guards --bugs reports` plants these alone. */
export const REPORT_BUGS: Readonly<Record<string, string>> = {
  'canceled runs in a denominator': 'what-was-canceled-is-in-no-denominator',
  'incidents counted for deployments': 'an-incident-counts-for-no-deployment',
  'a link into another environment': 'a-link-stays-in-its-environment',
  'a redeploy in the lead time': 'a-redeploy-has-no-lead-time',
  '`inactive` after a success': 'inactive-changes-nothing',
  'weeks from Sunday on': 'weeks-begin-on-monday',
  'percentiles by rank': 'percentiles-are-interpolated',
  'a band by the rounded value': 'bands-compare-exact-values',
  'a mark removed while a write came': 'a-mark-stays-until-its-write-is-there',
  'an older attempt that wins': 'the-highest-attempt-wins',
}
