/** `GET /reports/ingest-health`: whether events arrive, their delay, and what was skipped. */
import { and, asc, count, desc, eq, gte } from 'drizzle-orm'
import Type from 'typebox'
import { DAY_MS, toIso } from '../../runtime/clock.js'
import { permission } from '../../runtime/operation/access.js'
import { tenantId } from '../../runtime/operation/context.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { choice, Instant, nullable, strictObject } from '../../runtime/operation/schema.js'
import { ascending, percentileOf, rounded } from '../metric/percentile.js'
import { reportingTables } from '../tables.js'

const STALE_MS = DAY_MS
const RECENT_MAX = 1000
const STATES = ['flowing', 'stale', 'dropping', 'never'] as const
const Count = Type.Integer({ minimum: 0 })
const Seconds = nullable(Type.Number({ description: 'Seconds' }))

const Forwarder = strictObject({
  client: Type.String(),
  instance: nullable(Type.String()),
  forwarded: Count,
  dropped: Count,
  restarts: Count,
  lastDroppedAt: nullable(Instant),
  lastEventAt: nullable(Instant),
  updatedAt: Instant,
})

export const getHealth = query({
  name: 'reporting.health.get',
  summary: 'Read whether events of pipelines arrive',
  description:
    '`never`: none arrived. `stale`: the newest arrived more than 24 hours ago. `dropping`: a forwarder dropped events within 24 hours. A forwarder that reports nothing for 30 days is left out.',
  http: { method: 'get', path: '/reports/ingest-health' },
  access: permission('reports:read'),
  tenant: fromHeader,
  input: {},
  output: strictObject({
    status: choice(STATES),
    advice: nullable(Type.String()),
    forwarded: Count,
    dropped: Count,
    lastEventAt: nullable(Instant),
    updatedAt: nullable(Instant),
    lastReceivedAt: nullable(Instant),
    lag: strictObject({ p50Seconds: Seconds, p95Seconds: Seconds, events: Count }),
    parked: Count,
    skipped: Type.Unsafe<Record<string, number>>({
      type: 'object',
      additionalProperties: { type: 'integer' },
      description: 'Items of the last 7 days that were not accepted, by reason',
    }),
    forwarders: Type.Array(Forwarder),
  }),
  errors: [],
  async run(context) {
    const { db, nowMs } = context
    const orgId = tenantId(context)
    const { reportHealth: h, reportEvents: e, reportParked: p, reportSkips: s, reportSteps: f } = reportingTables(db)
    const rows = await db.select().from(h).where(eq(h.orgId, orgId)).orderBy(asc(h.client), asc(h.instance))
    const recent = await db
      .select({ occurredMs: e.occurredMs, receivedMs: e.receivedMs })
      .from(e)
      .where(eq(e.orgId, orgId))
      .orderBy(desc(e.receivedMs))
      .limit(RECENT_MAX)
    const [parked] = await db.select({ rows: count() }).from(p).where(eq(p.orgId, orgId))
    const skips = await db
      .select()
      .from(s)
      .where(and(eq(s.orgId, orgId), gte(s.dayMs, nowMs - 7 * DAY_MS)))
    const skipped: Record<string, number> = {}
    for (const { reason, items } of skips) skipped[reason] = (skipped[reason] ?? 0) + items
    const forwarders = rows.map((row) => ({
      client: row.client,
      instance: row.instance === '' ? null : row.instance,
      forwarded: row.forwardedBefore + row.forwarded,
      dropped: row.droppedBefore + row.dropped,
      restarts: row.restarts,
      lastDroppedAt: isoOf(row.lastDroppedMs),
      lastEventAt: isoOf(row.lastEventMs),
      updatedAt: toIso(row.updatedMs),
    }))
    const lastReceivedMs = recent[0]?.receivedMs ?? null
    const told = Math.max(
      0,
      ...rows.map(({ lastEventMs }) => lastEventMs ?? 0),
      ...recent.map(({ occurredMs }) => occurredMs),
    )
    // Events are swept before the facts that they became.
    const [fact] =
      lastReceivedMs === null ? await db.select({ of: f.pipelineId }).from(f).where(eq(f.orgId, orgId)).limit(1) : []
    const status = stateOf(
      fact === undefined ? lastReceivedMs : 0,
      rows.map(({ lastDroppedMs }) => lastDroppedMs),
      rows.length,
      told,
      nowMs,
    )
    return {
      status,
      advice: status === 'never' && (parked?.rows ?? 0) > 0 ? ONLY_PARKED : ADVICE[status],
      forwarded: sumOf(forwarders, 'forwarded'),
      dropped: sumOf(forwarders, 'dropped'),
      lastEventAt: isoOf(told === 0 ? null : told),
      updatedAt: isoOf(rows.length === 0 ? null : Math.max(...rows.map(({ updatedMs }) => updatedMs))),
      lastReceivedAt: isoOf(lastReceivedMs),
      lag: lagOf(recent),
      parked: parked?.rows ?? 0,
      skipped,
      forwarders,
    }
  },
})

export const ADVICE: Readonly<Record<(typeof STATES)[number], string | null>> = {
  flowing: null,
  stale: 'no event arrived for 24 hours: check the log of the forwarder, and its credential',
  dropping: 'a forwarder drops events: check its log for the answers of the server',
  never:
    'no event ever arrived: create a service principal with the scope reporting:ingest and send one to POST /reports/events',
}

export const ONLY_PARKED = 'all events wait for a pipeline that is not registered: plumbline reports parked names them'

const isoOf = (ms: number | null): string | null => (ms === null ? null : toIso(ms))
const sumOf = <K extends string>(rows: readonly Readonly<Record<K, number>>[], key: K): number =>
  rows.reduce((sum, row) => sum + row[key], 0)

function stateOf(
  lastReceivedMs: number | null,
  droppedMs: readonly (number | null)[],
  forwarders: number,
  lastEventMs: number,
  nowMs: number,
): (typeof STATES)[number] {
  if (droppedMs.some((ms) => ms !== null && ms > nowMs - STALE_MS)) return 'dropping'
  if (lastReceivedMs === null && (forwarders === 0 || lastEventMs === 0)) return 'never'
  return Math.max(lastReceivedMs ?? 0, lastEventMs) < nowMs - STALE_MS ? 'stale' : 'flowing'
}

/** The time from an event to its arrival, for the last thousand events. */
function lagOf(recent: readonly { readonly occurredMs: number; readonly receivedMs: number }[]) {
  const sorted = ascending(recent.map(({ occurredMs, receivedMs }) => Math.max(0, receivedMs - occurredMs) / 1000))
  const at = (fraction: number) => (sorted.length === 0 ? null : rounded(percentileOf(sorted, fraction), 1))
  return { p50Seconds: at(0.5), p95Seconds: at(0.95), events: sorted.length }
}
