/** `PUT /reports/retention-sync/:orgId`: the billing service sets how long an account keeps events and facts. */
import { eq } from 'drizzle-orm'
import Type from 'typebox'
import { toIso } from '../../runtime/clock.js'
import { invalidField, Refusal } from '../../runtime/errors.js'
import { scope } from '../../runtime/operation/access.js'
import { changed, tenantId, unchanged } from '../../runtime/operation/context.js'
import { command, fromPath } from '../../runtime/operation/operation.js'
import { Instant, nullable, strictObject } from '../../runtime/operation/schema.js'
import { lockRow } from '../../runtime/store/postgres.js'
import { AHEAD_MS } from '../ingest/event.js'
import { defaultRetention, inForce, putRetention, retentionAfter, WINDOW_DAYS_MAX } from '../retention.js'
import { reportingTables } from '../tables.js'

const Days = Type.Integer({ minimum: -1, maximum: WINDOW_DAYS_MAX, description: 'Days; −1 keeps them' })

export const updateRetentionSync = command({
  name: 'reporting.retention-sync.update',
  summary: 'Set how long an account keeps events and facts of runs',
  description:
    'For root organizations; their teams follow. A longer time applies at once, a shorter one after 7 days, so that a mistake can be corrected without loss. A request that is older than the last one is refused.',
  http: { method: 'put', path: '/reports/retention-sync/:orgId' },
  access: scope('retention:sync'),
  tenant: fromPath('orgId'),
  acrossOrganizations: 'retention is that of the account',
  audit: ['reports.retention.update'],
  input: {
    path: Type.Object({ orgId: Type.String() }),
    body: strictObject({
      eventRetentionDays: Days,
      doraRetentionDays: Days,
      occurredAt: Type.Optional(Instant),
    }),
  },
  output: strictObject({
    eventRetentionDays: Type.Integer(),
    doraRetentionDays: Type.Integer(),
    shrinks: nullable(
      strictObject({
        at: Instant,
        eventRetentionDays: nullable(Type.Integer()),
        doraRetentionDays: nullable(Type.Integer()),
      }),
    ),
  }),
  errors: ['CONFLICT', 'NOT_FOUND'],
  async run(context, { body: { eventRetentionDays, doraRetentionDays, occurredAt } }) {
    const { tx, runtime, nowMs, authority } = context
    const orgId = tenantId(context)
    if (authority.org === null || authority.org.parentOrgId !== null) {
      throw new Refusal('CONFLICT', 'a team has the retention of its root: name the root organization')
    }
    for (const [field, days] of Object.entries({ eventRetentionDays, doraRetentionDays })) {
      if (days === 0) throw invalidField(`/body/${field}`, 'must be at least 1, or −1 to keep everything', 'minimum')
    }
    const watermarkMs = occurredAt === undefined ? nowMs : Date.parse(occurredAt)
    if (watermarkMs > nowMs + AHEAD_MS) {
      throw invalidField('/body/occurredAt', 'is in the future: set the clock of the sender', 'future')
    }
    await lockRow(tx, 'organizations', orgId)
    const { reportRetention: t } = reportingTables(tx)
    const [before] = await tx.select().from(t).where(eq(t.orgId, orgId))
    // guard: an-older-word-on-retention-is-refused
    if (before !== undefined && watermarkMs < before.watermarkMs) {
      throw new Refusal(
        'CONFLICT',
        `a newer request of ${toIso(before.watermarkMs)} applies: send the current value with its \`occurredAt\``,
      )
    }
    const now = before === undefined ? defaultRetention(runtime) : inForce(before, nowMs)
    const wanted = { eventDays: eventRetentionDays, factDays: doraRetentionDays }
    const next = retentionAfter(now, before ?? null, wanted, nowMs)
    const answer = {
      eventRetentionDays: next.eventDays,
      doraRetentionDays: next.factDays,
      shrinks:
        next.laterFromMs === null
          ? null
          : {
              at: toIso(next.laterFromMs),
              eventRetentionDays: next.laterEventDays,
              doraRetentionDays: next.laterFactDays,
            },
    }
    await putRetention(tx, orgId, next, { watermarkMs, nowMs })
    if (before !== undefined && isSame(before, next)) return unchanged(answer)
    await context.audit('reports.retention.update', {
      targetType: 'organization',
      targetId: orgId,
      affectedOrgId: orgId,
      details: { changed: ['eventRetentionDays', 'doraRetentionDays'] },
    })
    return changed(answer)
  },
})

const FIELDS = ['eventDays', 'factDays', 'laterEventDays', 'laterFactDays', 'laterFromMs'] as const
type Stored = Readonly<Record<(typeof FIELDS)[number], number | null>>
const isSame = (one: Stored, other: Stored): boolean => FIELDS.every((field) => one[field] === other[field])
