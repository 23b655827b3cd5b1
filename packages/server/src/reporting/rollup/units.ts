/**
 * Deployments that ended in given periods, each with what earlier deployments imply: a redeploy, rework, the failures
 * that it ended. Used by the job that sums a day and by reports over days without sums.
 */
import { and, eq, gte, inArray, lt, or, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../runtime/store/db.js'
import { rowsAtOnce } from '../../runtime/store/prepared.js'
import { groupBy } from '../group.js'
import { isReworkRef, type Window } from '../model.js'
import { type DeploymentRow, reportingTables } from '../tables.js'
import { rowsAsTable } from './rows-as-table.js'

export interface Unit extends Pick<DeploymentRow, 'pipelineId' | 'environment' | 'tier' | 'status' | 'startedMs'> {
  readonly completedMs: number
  /** The time since its commit; null for a rollback, a redeploy, and an unknown commit time. */
  readonly leadMs: number | null
  /** Whether it is a success whose commit time is unknown. */
  readonly isUndated: boolean
  readonly isRework: boolean
  /** The duration of each failure that it ended. */
  readonly repairMs: readonly number[]
}

/** A period, of one pipeline if it names one. */
export type Stretch = Window & { readonly pipelineId?: string }

export interface Asked {
  readonly orgIds: readonly string[]
  readonly environment?: string | undefined
  /** Prefixes of refs whose deployments count as rework. */
  readonly reworkRefs: readonly string[]
  /** Without what the failures before a success imply: repairs, and rework of that kind. */
  readonly isBrief?: boolean | undefined
}

const STRETCHES_AT_ONCE = 50
const LANES_AT_ONCE = 200

/**
 * @param stretches must not overlap.
 * @returns the units of each pipeline, environment and stretch, ordered by end.
 */
export async function unitsIn(db: Db, asked: Asked, stretches: readonly Stretch[]): Promise<Unit[][]> {
  const found: Unit[][] = []
  for (let at = 0; at < stretches.length; at += STRETCHES_AT_ONCE) {
    const some = stretches.slice(at, at + STRETCHES_AT_ONCE)
    const rows = await endedIn(db, asked, some)
    const lanes = [...groupBy(rows, (row) => laneKey(row, stretchOf(row, some)))].map(([lane, own]) => ({
      lane,
      own,
      fromMs: stretchOf(own[0] as Ended, some),
    }))
    const before = groupBy(asked.isBrief === true ? [] : await beforeThem(db, lanes), ({ lane }) => lane)
    for (const { lane, own } of lanes) found.push(alongLane(own, before.get(lane) ?? [], asked.reworkRefs))
  }
  return found
}

interface Ended
  extends Pick<
    DeploymentRow,
    | 'orgId'
    | 'pipelineId'
    | 'executionId'
    | 'attempt'
    | 'environment'
    | 'tier'
    | 'status'
    | 'startedMs'
    | 'ref'
    | 'isRollback'
    | 'isRework'
  > {
  readonly completedMs: number
  readonly sha: string | null
  readonly committedMs: number | null
  /** The commit time from the stored commits. */
  readonly knownMs: number | null
  /** When the pipeline first deployed the commit to the environment. */
  readonly shaFirstMs: number | null
}

const stretchOf = ({ completedMs, pipelineId }: Ended, stretches: readonly Stretch[]): number =>
  stretches.find(
    (each) =>
      (each.pipelineId === undefined || each.pipelineId === pipelineId) &&
      completedMs >= each.fromMs &&
      completedMs < each.toMs,
  )?.fromMs ?? 0

/** The environment comes last: it alone may hold any character. */
const laneKey = ({ orgId, pipelineId, environment }: Lane, fromMs: number): string =>
  `${fromMs} ${orgId} ${pipelineId} ${environment}`
type Lane = Pick<Ended, 'orgId' | 'pipelineId' | 'environment'>

const OWN = (column: string) => sql.raw(`"report_deployments"."${column}"`)
const number = (value: SQL) => sql<number | null>`${value}`.mapWith((each) => (each === null ? null : Number(each)))

async function endedIn(db: Db, { orgIds, environment }: Asked, stretches: readonly Stretch[]): Promise<Ended[]> {
  const { reportDeployments: t } = reportingTables(db)
  const knownMs = sql`(SELECT c.committed_ms FROM report_commits c WHERE c.org_id = ${OWN('org_id')} AND c.sha = ${OWN('sha')})`
  const shaFirstMs = sql`(SELECT MIN(x.completed_ms) FROM report_deployments x WHERE x.org_id = ${OWN('org_id')} AND x.sha = ${OWN('sha')} AND x.pipeline_id = ${OWN('pipeline_id')} AND x.environment = ${OWN('environment')} AND x.status = 'succeeded')`
  const rows = await rowsAtOnce(
    db,
    db
      .select({
        orgId: t.orgId,
        pipelineId: t.pipelineId,
        executionId: t.executionId,
        attempt: t.attempt,
        environment: t.environment,
        tier: t.tier,
        status: t.status,
        startedMs: t.startedMs,
        completedMs: t.completedMs,
        sha: t.sha,
        ref: t.ref,
        committedMs: t.committedMs,
        isRollback: t.isRollback,
        isRework: t.isRework,
        knownMs: number(knownMs),
        shaFirstMs: number(shaFirstMs),
      })
      .from(t)
      .where(
        and(
          inArray(t.orgId, [...orgIds]),
          environment === undefined ? undefined : eq(t.environment, environment),
          or(
            ...stretches.map(({ pipelineId, fromMs, toMs }) =>
              and(
                pipelineId === undefined ? undefined : eq(t.pipelineId, pipelineId),
                gte(t.completedMs, fromMs),
                lt(t.completedMs, toMs),
              ),
            ),
          ),
        ),
      ),
  )
  return rows.filter((row): row is Ended => row.completedMs !== null)
}

interface Before {
  readonly lane: string
  readonly pipelineId: string
  readonly executionId: string
  readonly attempt: number
  readonly environment: string
  readonly status: string
  readonly completedMs: number
}

interface LaneRows {
  readonly lane: string
  readonly own: readonly Ended[]
  readonly fromMs: number
}

const IN_LANE = (alias: string) =>
  `${alias}.org_id = v.column1 AND ${alias}.pipeline_id = v.column2 AND ${alias}.environment = v.column3`
/** A success is read only beside a failure of its instant: then their order decides. */
const FAILURES_BEFORE = sql.raw(
  `JOIN report_deployments d ON ${IN_LANE('d')} AND d.completed_ms < v.column4 WHERE d.completed_ms >= COALESCE((SELECT MAX(s.completed_ms) FROM report_deployments s WHERE ${IN_LANE('s')} AND s.completed_ms < v.column4 AND s.status = 'succeeded'), 0) AND (d.status = 'failed' OR (d.status = 'succeeded' AND EXISTS (SELECT 1 FROM report_deployments f WHERE ${IN_LANE('f')} AND f.completed_ms = d.completed_ms AND f.status = 'failed')))`,
)

/** The failures of each lane that no success had ended when its period began. */
async function beforeThem(db: Db, lanes: readonly LaneRows[]): Promise<Before[]> {
  const wanted = lanes.filter(({ own }) => own.some(({ status }) => status === 'succeeded'))
  const found: Before[] = []
  for (let at = 0; at < wanted.length; at += LANES_AT_ONCE) {
    const some = wanted.slice(at, at + LANES_AT_ONCE)
    const table = rowsAsTable(
      db,
      ['text', 'text', 'text', 'bigint', 'integer'],
      some.map(({ own, fromMs }, place) => {
        const { orgId, pipelineId, environment } = own[0] as Ended
        return [orgId, pipelineId, environment, fromMs, place]
      }),
    )
    const rows = await db.rows<
      Record<'execution_id' | 'status', string> & Record<'attempt' | 'completed_ms' | 'place', number | string>
    >(
      sql`SELECT d.execution_id, d.attempt, d.status, d.completed_ms, v.column5 AS place FROM ${table} ${FAILURES_BEFORE}`,
    )
    for (const row of rows) {
      const { lane, own } = some[Number(row.place)] as LaneRows
      const { pipelineId, environment } = own[0] as Ended
      found.push({
        lane,
        pipelineId,
        environment,
        executionId: row.execution_id,
        attempt: Number(row.attempt),
        status: row.status,
        completedMs: Number(row.completed_ms),
      })
    }
  }
  return found
}

type Placed = Pick<Before, 'pipelineId' | 'executionId' | 'environment' | 'attempt' | 'completedMs'>
const keyOf = ({ pipelineId, executionId, environment, attempt }: Placed): string =>
  `${pipelineId}\n${executionId}\n${environment}\n${attempt}`
const inOrder = (one: Placed, other: Placed): number =>
  one.completedMs - other.completedMs || (keyOf(one) < keyOf(other) ? -1 : 1)

/**
 * Goes through one lane, ordered by end. The fields are named, because the rest of a destructured object takes ten times
 * as long.
 */
function alongLane(own: readonly Ended[], before: readonly Before[], reworkRefs: readonly string[]): Unit[] {
  let failures: number[] = []
  const told = new Set<string>()
  for (const { status, completedMs } of [...before].sort(inOrder)) {
    if (status === 'succeeded') failures = []
    else failures.push(completedMs)
  }
  return [...own].sort(inOrder).map((each): Unit => {
    const { sha, knownMs, committedMs, shaFirstMs, status, completedMs, isRollback } = each
    const isSuccess = status === 'succeeded'
    // Of several successes at one instant, the first in order counts as the one that deployed the commit.
    const isRedeploy = isSuccess && sha !== null && ((shaFirstMs ?? completedMs) < completedMs || told.has(sha))
    const isCounted = isSuccess && !isRollback && !isRedeploy
    const commitMs = knownMs === null ? committedMs : committedMs === null ? knownMs : Math.min(committedMs, knownMs)
    const repairMs = isSuccess && failures.length > 0 ? failures.map((ms) => completedMs - ms) : NO_REPAIRS
    if (isSuccess) failures = []
    else if (status === 'failed') failures.push(completedMs)
    if (isSuccess && sha !== null) told.add(sha)
    return {
      pipelineId: each.pipelineId,
      environment: each.environment,
      tier: each.tier,
      status,
      startedMs: each.startedMs,
      completedMs,
      leadMs: isCounted && commitMs !== null ? Math.max(0, completedMs - commitMs) : null,
      isUndated: isCounted && commitMs === null,
      isRework: isSuccess && (each.isRework || isRollback || repairMs.length > 0 || isReworkRef(each.ref, reworkRefs)),
      repairMs,
    }
  })
}

const NO_REPAIRS: readonly number[] = []
