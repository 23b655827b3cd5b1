/** Rebuilds the sums of marked days from their facts, and the sums of their months from the days. */
import { and, asc, eq, getTableColumns, gte, inArray, lt, ne, sql } from 'drizzle-orm'
import { DAY_MS } from '../../runtime/clock.js'
import type { Tx } from '../../runtime/store/db.js'
import { insertRows, rowsAtOnce } from '../../runtime/store/prepared.js'
import { groupBy } from '../group.js'
import { bucketStart, dayStart, nextStart } from '../metric/bucket.js'
import { type RollupPart, reportingTables } from '../tables.js'
import { lockSums } from './mark.js'
import { nextTurn } from './next-turn.js'
import { rebuildDeployments } from './rebuild-deployments.js'
import { type RunSums, sumsOf, together } from './sums.js'

/** With more marked pipelines on a day than this, the whole day is read at once. */
const PIPELINES_MAX = 20

interface Mark {
  readonly dayMs: number
  readonly pipelineId: string
}

/** Rebuilds at most `marksMax` marked days of one organization. @returns the number of marks. */
export async function rebuildDays(tx: Tx, orgId: string, marksMax: number): Promise<number> {
  // Without the lock, two jobs would each build the row of all pipelines from their own view of a day.
  await lockSums(tx, orgId)
  const marks = await takeMarks(tx, orgId, marksMax)
  for (const [dayMs, own] of groupBy(marks, (mark) => mark.dayMs)) {
    await rebuildDay(tx, orgId, dayMs, new Set(own.map(({ pipelineId }) => pipelineId)))
    await nextTurn()
  }
  for (const [monthMs, own] of groupBy(marks, ({ dayMs }) => bucketStart(dayMs, 'month'))) {
    await rebuildMonth(tx, orgId, monthMs, new Set(own.map(({ pipelineId }) => pipelineId)))
    await nextTurn()
  }
  await rebuildDeployments(tx, orgId, marks)
  return marks.length
}

/** Marks are deleted before the facts are read: facts that are committed later have their own mark. */
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

async function rebuildDay(tx: Tx, orgId: string, dayMs: number, ids: ReadonlySet<string>): Promise<void> {
  const { reportExecutions: e } = reportingTables(tx)
  const facts = await rowsAtOnce(
    tx,
    tx
      .select({ pipelineId: e.pipelineId, status: e.status, startedMs: e.startedMs, durationMs: e.durationMs })
      .from(e)
      .where(
        and(
          eq(e.orgId, orgId),
          // For many pipelines, the index of days finds the rows.
          ids.size > PIPELINES_MAX ? undefined : inArray(e.pipelineId, [...ids]),
          gte(e.startedMs, dayMs),
          lt(e.startedMs, dayMs + DAY_MS),
        ),
      ),
  )
  const sums = new Map([...groupBy(facts, ({ pipelineId }) => pipelineId)].map(([id, own]) => [id, sumsOf(own)]))
  await replace(tx, { orgId, part: 'day', dayMs }, ids, sums)
  const { reportDailyRuns: t } = reportingTables(tx)
  const { bins: _, ...columns } = getTableColumns(t)
  const each = await rowsAtOnce(
    tx,
    tx
      .select(columns)
      .from(t)
      .where(and(eq(t.orgId, orgId), eq(t.part, 'day'), eq(t.dayMs, dayMs), ne(t.pipelineId, ''))),
  )
  const all = together(each.map((row) => sumsIn({ ...row, bins: [] })))
  await replace(tx, { orgId, part: 'day', dayMs }, new Set(['']), new Map([['', all]]))
}

/** The row of a month is used only when none of its days is marked, so it is rebuilt when the last mark is deleted. */
async function rebuildMonth(tx: Tx, orgId: string, monthMs: number, ids: ReadonlySet<string>): Promise<void> {
  const { reportDailyRuns: t, reportDirty: d } = reportingTables(tx)
  const within = (column: typeof t.dayMs | typeof d.dayMs) =>
    and(gte(column, monthMs), lt(column, nextStart(monthMs, 'month')))
  const waiting = await tx
    .selectDistinct({ pipelineId: d.pipelineId })
    .from(d)
    .where(and(eq(d.orgId, orgId), within(d.dayMs)))
  const left = new Set(ids)
  for (const { pipelineId } of waiting) left.delete(pipelineId)
  if (left.size === 0) return
  const parts = await rowsAtOnce(
    tx,
    tx
      .select()
      .from(t)
      .where(
        and(eq(t.orgId, orgId), inArray(t.pipelineId, [...left]), inArray(t.part, ['day', 'swept']), within(t.dayMs)),
      ),
  )
  const sums = new Map(
    [...groupBy(parts, ({ pipelineId }) => pipelineId)].map(([id, own]) => [id, together(own.map(sumsIn))]),
  )
  await replace(tx, { orgId, part: 'month', dayMs: monthMs }, left, sums)
}

/** Replaces the sums of these pipelines. A pipeline without facts has no row. */
async function replace(
  tx: Tx,
  { orgId, part, dayMs }: Omit<Key, 'pipelineId'>,
  ids: ReadonlySet<string>,
  sums: ReadonlyMap<string, RunSums | null>,
): Promise<void> {
  const { reportDailyRuns: t } = reportingTables(tx)
  const is = and(eq(t.orgId, orgId), eq(t.part, part), eq(t.dayMs, dayMs), inArray(t.pipelineId, [...ids]))
  await tx.delete(t).where(is)
  const rows = [...sums].flatMap(([pipelineId, own]) =>
    own === null || !ids.has(pipelineId) ? [] : [{ orgId, pipelineId, part, dayMs, ...own }],
  )
  await insertRows(tx, t, rows)
}

interface Key {
  readonly orgId: string
  readonly pipelineId: string
  readonly part: RollupPart
  readonly dayMs: number
}

const sumsIn = ({ orgId: _, pipelineId: __, part: ___, dayMs: ____, ...sums }: Key & RunSums): RunSums => sums

/**
 * Adds facts that are being deleted to the `swept` sums of their days. The days are marked, because their own sums
 * shrink.
 */
export async function addSwept(
  tx: Tx,
  orgId: string,
  facts: readonly ({ readonly pipelineId: string } & Parameters<typeof sumsOf>[0][number])[],
): Promise<void> {
  const days = groupBy(facts, ({ pipelineId, startedMs }) => `${dayStart(startedMs)} ${pipelineId}`)
  for (const own of days.values()) {
    const [{ pipelineId, startedMs }] = own as [(typeof facts)[number]]
    const sums = sumsOf(own) as RunSums
    const key = { orgId, part: 'swept' as const, dayMs: dayStart(startedMs) }
    await add(tx, { ...key, pipelineId }, sums)
    await add(tx, { ...key, pipelineId: '' }, { ...sums, bins: [] })
  }
}

/** Replaces the `swept` sums of these pipelines on a closed day. The row of all pipelines stays, so the day stays closed. */
export async function replaceSwept(
  tx: Tx,
  orgId: string,
  dayMs: number,
  sums: ReadonlyMap<string, RunSums | null>,
): Promise<void> {
  const { reportDailyRuns: t } = reportingTables(tx)
  const key = { orgId, part: 'swept' as const, dayMs }
  await replace(tx, key, new Set(sums.keys()), sums)
  const each = await tx
    .select()
    .from(t)
    .where(and(eq(t.orgId, orgId), eq(t.part, 'swept'), eq(t.dayMs, dayMs), ne(t.pipelineId, '')))
  const all = together(each.map((row) => ({ ...sumsIn(row), bins: [] }))) ?? {
    ...NOTHING,
    firstMs: dayMs,
    lastMs: dayMs,
  }
  await replace(tx, key, new Set(['']), new Map([['', all]]))
}

const NOTHING: Omit<RunSums, 'firstMs' | 'lastMs'> = {
  ...{ succeeded: 0, failed: 0, canceled: 0, open: 0 },
  ...{ timed: 0, sumMs: 0, minMs: null, maxMs: null },
  bins: [],
}

async function add(tx: Tx, key: Key, sums: RunSums): Promise<void> {
  const { reportDailyRuns: t } = reportingTables(tx)
  const is = and(eq(t.orgId, key.orgId), eq(t.pipelineId, key.pipelineId), eq(t.part, key.part), eq(t.dayMs, key.dayMs))
  const [before] = await tx.select().from(t).where(is)
  const set = before === undefined ? sums : (together([sumsIn(before), sums]) as RunSums)
  await tx
    .insert(t)
    .values({ ...key, ...set })
    .onConflictDoUpdate({ target: [t.orgId, t.pipelineId, t.part, t.dayMs], set })
}
