/** Rebuilds the deployment sums of marked days from their facts, and from these the sums of all pipelines. */
import { and, eq, inArray } from 'drizzle-orm'
import { DAY_MS } from '../../runtime/clock.js'
import type { Tx } from '../../runtime/store/db.js'
import { insertRows, rowsAtOnce } from '../../runtime/store/prepared.js'
import { readSettings } from '../dora-settings.js'
import { groupBy } from '../group.js'
import { reportingTables } from '../tables.js'
import { ofAllPipelines, rowOf, sumsOfRow, sumsOfUnits } from './deployment-sums.js'
import { nextTurn } from './next-turn.js'
import type { Behind } from './plan.js'
import { unitsIn } from './units.js'

/** With more marked pipelines on a day than this, the whole day is read at once. */
const PIPELINES_MAX = 20

export async function rebuildDeployments(tx: Tx, orgId: string, marks: readonly Behind[]): Promise<void> {
  const { reworkRefs } = await readSettings(tx, orgId)
  const { reportDailyDeployments: t } = reportingTables(tx)
  for (const [dayMs, own] of groupBy(marks, (mark) => mark.dayMs)) {
    const ids = own.map(({ pipelineId }) => pipelineId)
    const day = { fromMs: dayMs, toMs: dayMs + DAY_MS }
    const stretches = ids.length > PIPELINES_MAX ? [day] : ids.map((pipelineId) => ({ ...day, pipelineId }))
    const marked = new Set(ids)
    const lanes = (await unitsIn(tx, { orgIds: [orgId], reworkRefs }, stretches)).filter(
      ([unit]) => unit !== undefined && marked.has(unit.pipelineId),
    )
    const ofDay = and(eq(t.orgId, orgId), eq(t.dayMs, dayMs))
    await tx.delete(t).where(and(ofDay, inArray(t.pipelineId, [...ids, ''])))
    const others = await rowsAtOnce(tx, tx.select().from(t).where(ofDay))
    const made = sumsOfUnits(lanes)
    const all = ofAllPipelines([...made, ...others.map(sumsOfRow)])
    const rows = [...made, ...all].map((each) => rowOf(orgId, each))
    await insertRows(tx, t, rows)
    await nextTurn()
  }
}
