/** Chooses the next build: organizations take turns by the shares of their tiers (`docs/decisions/0069`). */
import { and, asc, count, eq, inArray, lte, max } from 'drizzle-orm'
import type { Tx } from '../../runtime/store/db.js'
import { lockRow } from '../../runtime/store/postgres.js'
import { type BuildJobRow, pluginTables } from '../tables.js'
import { strideOf } from './plan.js'

const DUE = ['waiting', 'delayed']

/** The oldest due job of the organization whose turn it is; also records the turn. */
export async function nextJob(tx: Tx, nowMs: number, perOrgMax: number): Promise<BuildJobRow | null> {
  const { buildJobs, buildTurns } = pluginTables(tx)
  const busy = await tx
    .select({ orgId: buildJobs.orgId, active: count() })
    .from(buildJobs)
    .where(eq(buildJobs.state, 'active'))
    .groupBy(buildJobs.orgId)
  const full = new Set(busy.filter(({ active }) => Number(active) >= perOrgMax).map(({ orgId }) => orgId))
  // guard: how-many-builds-at-a-time
  const due = (
    await tx
      .select({ orgId: buildJobs.orgId, tier: max(buildJobs.tier) })
      .from(buildJobs)
      .where(and(inArray(buildJobs.state, DUE), lte(buildJobs.runAtMs, nowMs)))
      .groupBy(buildJobs.orgId)
      .orderBy(asc(buildJobs.orgId))
  ).filter(({ orgId }) => !full.has(orgId))
  const turns = new Map((await tx.select().from(buildTurns)).map((turn) => [turn.orgId, turn]))
  // An organization that was idle starts level with the others, without the turns that it did not use.
  const floor = Math.max(0, ...[...turns.values()].map(({ lastStart }) => lastStart))
  // guard: whose-turn-it-is
  const startOf = (orgId: string) => Math.max(floor, turns.get(orgId)?.pass ?? 0)
  const chosen = [...due].sort((a, b) => startOf(a.orgId) - startOf(b.orgId))[0]
  if (chosen === undefined) return null
  const [first] = await tx
    .select({ id: buildJobs.id })
    .from(buildJobs)
    .where(and(eq(buildJobs.orgId, chosen.orgId), inArray(buildJobs.state, DUE), lte(buildJobs.runAtMs, nowMs)))
    .orderBy(asc(buildJobs.runAtMs), asc(buildJobs.id))
    .limit(1)
  if (first === undefined) return null
  // A build that was cancelled meanwhile is not started: the builder polls again.
  // guard: a-claim-sees-what-was-cancelled
  await lockRow(tx, 'build_jobs', first.id)
  const [job] = await tx
    .select()
    .from(buildJobs)
    .where(and(eq(buildJobs.id, first.id), inArray(buildJobs.state, DUE)))
  if (job === undefined) return null
  const start = startOf(job.orgId)
  const turn = { orgId: job.orgId, lastStart: start, pass: start + strideOf(job.tier) }
  await tx.insert(buildTurns).values(turn).onConflictDoUpdate({ target: buildTurns.orgId, set: turn })
  return job
}
