/** `POST /reports/events`: a forwarder sends the events of pipelines. Source: spec platform 17. */
import Type from 'typebox'
import { scope } from '../../runtime/operation/access.js'
import { changed, tenantId } from '../../runtime/operation/context.js'
import { command, fromHeader, none } from '../../runtime/operation/operation.js'
import { choice, strictObject } from '../../runtime/operation/schema.js'
import { bulkList } from '../../runtime/records/bulk.js'
import { withTeams } from '../account.js'
import { EVENTS_MAX, EventItem } from '../ingest/schema.js'
import { SKIP_REASONS, takeEvents } from './take.js'

const Count = Type.Integer({ minimum: 0 })

export const ingestEvents = command({
  name: 'reporting.event.ingest',
  summary: 'Send the runs of pipelines',
  description: `At most ${EVENTS_MAX} events. Each has its own result: one that is refused does not stop the others. Events that are sent again, in any order, give the same reports.`,
  http: { method: 'post', path: '/reports/events' },
  // guard: events-come-from-machines
  access: scope('reporting:ingest'),
  tenant: fromHeader,
  acrossOrganizations: 'one forwarder tells of the pipelines of an organization and of its teams',
  audit: none('events of pipelines are the record themselves'),
  rateLimit: 'report-ingest',
  input: { body: strictObject({ events: bulkList(EventItem, EVENTS_MAX) }) },
  output: strictObject({
    inserted: Count,
    duplicates: Count,
    conflicts: Type.Integer({ minimum: 0, description: 'Had the key of another event: the greater one is kept' }),
    skipped: Count,
    parked: Type.Integer({ minimum: 0, description: 'Skipped events that wait up to 7 days for their pipeline' }),
    total: Count,
    skippedItems: Type.Array(
      strictObject({
        index: Count,
        reason: choice(SKIP_REASONS),
        parked: Type.Optional(Type.Boolean()),
        path: Type.Optional(Type.String()),
        message: Type.String(),
      }),
    ),
  }),
  errors: [],
  async run(context, { body: { events } }) {
    const { tx, runtime, nowMs, authority } = context
    const orgId = tenantId(context)
    const orgIds = authority.org === null ? [orgId] : await withTeams(tx, authority.org)
    const { skippedItems, ...counts } = await takeEvents(tx, events, { runtime, orgId, orgIds, nowMs })
    return changed({ ...counts, skipped: skippedItems.length, total: events.length, skippedItems })
  },
})
