/**
 * `POST /reports/ingest-health`: a forwarder reports how much it has forwarded and dropped since its process started. A
 * lower counter than before means a restart, so the totals add up over processes.
 */
import { and, eq } from 'drizzle-orm'
import Type from 'typebox'
import { invalidField } from '../../runtime/errors.js'
import { scope } from '../../runtime/operation/access.js'
import { changed, tenantId } from '../../runtime/operation/context.js'
import { command, fromHeader, none } from '../../runtime/operation/operation.js'
import { Instant, strictObject } from '../../runtime/operation/schema.js'
import { AHEAD_MS } from '../ingest/event.js'
import { reportingTables } from '../tables.js'
import { takeTurns } from '../turns.js'

const Counter = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'Since the process started' })

export const reportHealth = command({
  name: 'reporting.health.report',
  summary: 'Report the health of a forwarder of events',
  http: { method: 'post', path: '/reports/ingest-health' },
  access: scope('reporting:ingest'),
  tenant: fromHeader,
  audit: none('counters of a forwarder'),
  rateLimit: 'report-ingest',
  input: {
    body: strictObject({
      forwarded: Counter,
      dropped: Counter,
      lastEventAt: Type.Optional(Instant),
      instance: Type.Optional(
        Type.String({ minLength: 1, maxLength: 100, description: 'Distinguishes several processes of one client' }),
      ),
    }),
  },
  output: strictObject({ ok: Type.Boolean() }),
  errors: [],
  async run(context, { body: { forwarded, dropped, lastEventAt, instance = '' } }) {
    const { tx, nowMs, principal } = context
    const lastEventMs = lastEventAt === undefined ? null : Date.parse(lastEventAt)
    if (lastEventMs !== null && lastEventMs > nowMs + AHEAD_MS) {
      throw invalidField('/body/lastEventAt', 'is in the future: correct the clock of the sender', 'future')
    }
    const { reportHealth: t } = reportingTables(tx)
    const own = {
      orgId: tenantId(context),
      client: principal.kind === 'service' ? principal.clientId : '',
      instance,
    }
    // guard: one-forwarder-reports-one-at-a-time
    await takeTurns(tx, [`health ${own.orgId} ${own.client} ${instance}`])
    const where = and(eq(t.orgId, own.orgId), eq(t.client, own.client), eq(t.instance, instance))
    const [before] = await tx.select().from(t).where(where)
    // guard: a-lower-counter-is-a-restart
    const isRestart = before !== undefined && (forwarded < before.forwarded || dropped < before.dropped)
    const droppedBefore = (before?.droppedBefore ?? 0) + (isRestart ? before.dropped : 0)
    const hasDropped = droppedBefore + dropped > (before === undefined ? 0 : before.droppedBefore + before.dropped)
    const row = {
      ...own,
      forwarded,
      dropped,
      forwardedBefore: (before?.forwardedBefore ?? 0) + (isRestart ? before.forwarded : 0),
      droppedBefore,
      restarts: (before?.restarts ?? 0) + (isRestart ? 1 : 0),
      lastEventMs: Math.max(lastEventMs ?? 0, before?.lastEventMs ?? 0) || null,
      lastDroppedMs: hasDropped ? nowMs : (before?.lastDroppedMs ?? null),
      updatedMs: nowMs,
    }
    if (before === undefined)
      await tx
        .insert(t)
        .values(row)
        .onConflictDoUpdate({ target: [t.orgId, t.client, t.instance], set: row })
    else await tx.update(t).set(row).where(where)
    return changed({ ok: true })
  },
})
