/** Makes the sums of marked days from their facts, and those of their months from the days. */
import { and, asc, eq, gte, inArray, lt, sql } from 'drizzle-orm'
import type { Tx } from '../../runtime/store/db.js'
import { rowsAtOnce } from '../../runtime/store/prepared.js'
import { groupBy } from '../group.js'
import { bucketStart, dayStart, nextStart } from '../metric/bucket.js'
import { type RollupPart, reportingTables } from '../tables.js'
import { type RunSums, sumsOf, together } from './sums.js'

interface Mark {
  readonly dayMs: number
  readonly pipelineId: string
}

/** At most `marksMax` marked days of one organization. @returns how many there were. */
export async function rebuildDays(tx: Tx, orgId: string, marksMax: number): Promise<number> {
  const marks = await takeMarks(tx, orgId, marksMax)
  const months = groupBy(marks, ({ dayMs, pipelineId }) => `${bucketStart(dayMs, 'month')} ${pipelineId}`)
  for (const own of months.values()) await rebuildMonth(tx, orgId, own)
  return marks.length
}

/** Marks go before the facts are read: facts that are committed later come with a mark of their own. */
async function takeMarks(tx: Tx, orgId: string, marksMax: number): Promise<Mark[]> {
  const { reportDirty: t } = reportingTables(tx)
  const marks =
    tx.database === 'pg'
      ? (
          await tx.rows<{ day_ms: string | number; pipeline_id: string }>(
            sql`SELECT day_ms, pipeline_id FROM ${t} WHERE ${t.orgId} = ${orgId} ORDER BY day_ms, pipeline_id LIMIT ${marksMax} FOR UPDATE SKIP LOCKED`,
          )
        ).map((row) => ({ dayMs: Number(row.day_ms), pipelineId: row.pipeline_id }))
      : await tx
          .select({ dayMs: t.dayMs, pipelineId: t.pipelineId })
          .from(t)
          .where(eq(t.orgId, orgId))
          .orderBy(asc(t.dayMs), asc(t.pipelineId))
          .limit(marksMax)
  for (const [dayMs, own] of groupBy(marks, (mark) => mark.dayMs)) {
    const ids = own.map(({ pipelineId }) => pipelineId)
    await tx.delete(t).where(and(eq(t.orgId, orgId), eq(t.dayMs, dayMs), inArray(t.pipelineId, ids)))
  }
  return marks
}

async function rebuildMonth(tx: Tx, orgId: string, marks: readonly Mark[]): Promise<void> {
  const [{ pipelineId, dayMs: some }] = marks as [Mark]
  const days = marks.map(({ dayMs }) => dayMs)
  const facts = await factsOf(tx, orgId, pipelineId, days)
  for (const dayMs of days) await put(tx, { orgId, pipelineId, part: 'day', dayMs }, sumsOf(facts.get(dayMs) ?? []))
  const monthMs = bucketStart(some, 'month')
  const { reportDailyRuns: t } = reportingTables(tx)
  const parts = await tx
    .select()
    .from(t)
    .where(
      and(
        eq(t.orgId, orgId),
        eq(t.pipelineId, pipelineId),
        inArray(t.part, ['day', 'swept']),
        gte(t.dayMs, monthMs),
        lt(t.dayMs, nextStart(monthMs, 'month')),
      ),
    )
  await put(tx, { orgId, pipelineId, part: 'month', dayMs: monthMs }, together(parts.map(sumsIn)))
}

async function factsOf(tx: Tx, orgId: string, pipelineId: string, days: readonly number[]) {
  const { reportExecutions: t } = reportingTables(tx)
  const facts = await rowsAtOnce(
    tx,
    tx
      .select({ status: t.status, startedMs: t.startedMs, durationMs: t.durationMs })
      .from(t)
      .where(
        and(
          eq(t.orgId, orgId),
          eq(t.pipelineId, pipelineId),
          gte(t.startedMs, Math.min(...days)),
          lt(t.startedMs, nextStart(Math.max(...days), 'day')),
        ),
      ),
  )
  return groupBy(facts, ({ startedMs }) => dayStart(startedMs))
}

interface Key {
  readonly orgId: string
  readonly pipelineId: string
  readonly part: RollupPart
  readonly dayMs: number
}

/** Writes the sums under the key; without any there is not even a row. */
async function put(tx: Tx, key: Key, sums: RunSums | null): Promise<void> {
  const { reportDailyRuns: t } = reportingTables(tx)
  if (sums === null) {
    await tx
      .delete(t)
      .where(
        and(eq(t.orgId, key.orgId), eq(t.pipelineId, key.pipelineId), eq(t.part, key.part), eq(t.dayMs, key.dayMs)),
      )
    return
  }
  await tx
    .insert(t)
    .values({ ...key, ...sums })
    .onConflictDoUpdate({ target: [t.orgId, t.pipelineId, t.part, t.dayMs], set: { ...sums } })
}

const sumsIn = ({ orgId: _, pipelineId: __, part: ___, dayMs: ____, ...sums }: Key & RunSums): RunSums => sums

/** Adds facts that are being removed to what is kept of their days. The days are marked, since their own sums fall. */
export async function addSwept(
  tx: Tx,
  orgId: string,
  facts: readonly ({ readonly pipelineId: string } & Parameters<typeof sumsOf>[0][number])[],
): Promise<void> {
  const { reportDailyRuns: t } = reportingTables(tx)
  const days = groupBy(facts, ({ pipelineId, startedMs }) => `${dayStart(startedMs)} ${pipelineId}`)
  for (const own of days.values()) {
    const [{ pipelineId, startedMs }] = own as [(typeof facts)[number]]
    const key = { orgId, pipelineId, part: 'swept' as const, dayMs: dayStart(startedMs) }
    const [before] = await tx
      .select()
      .from(t)
      .where(and(eq(t.orgId, orgId), eq(t.pipelineId, pipelineId), eq(t.part, 'swept'), eq(t.dayMs, key.dayMs)))
    const added = sumsOf(own) as RunSums
    await put(tx, key, before === undefined ? added : together([sumsIn(before), added]))
  }
}
