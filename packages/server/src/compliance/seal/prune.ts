/**
 * Deletes rows of the check log past their retention, and the scans that wrote them. Each day the older rows are
 * deleted in batches, with the seals that cover only such rows. An event in the chain comes first, so that a later
 * verification can distinguish retention from tampering (ADR 35).
 *
 * INVARIANT: only sealed rows are deleted.
 */
import { CHECK_LATE_MS } from '@plumbline/audit-chain'
import { and, eq, inArray, lt, ne, notInArray } from 'drizzle-orm'
import { DAY_MS, toIso } from '../../runtime/clock.js'
import { defineJob, defineSchedule, type JobContext } from '../../runtime/jobs/define.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { DAYS_MAX } from '../summary/get.js'
import { complianceTables } from '../tables.js'
import { newestSeal, unsealedRows } from './job.js'
import { organizationsWithChecks } from './organizations.js'

/** Rows that one transaction deletes: other writes wait for it. */
const BATCH = 500

export const pruneChecksJob = defineJob({
  kind: 'compliance.prune-checks',
  payload: strictObject({}),
  audit: ['compliance.checklog.prune'],
  concurrency: 1,
  async run(context) {
    const beforeMs = context.nowMs - context.runtime.settings.COMPLIANCE_AUDIT_RETENTION_DAYS * DAY_MS
    for await (const orgId of organizationsWithChecks(context.read, context.signal)) {
      await pruneOrganization(context, orgId, beforeMs)
    }
    for (let gone = BATCH; gone === BATCH && !context.signal.aborted; ) {
      gone = await context.write(async ({ tx }) => {
        const { scans: t } = complianceTables(tx)
        const isOld = and(lt(t.createdAtMs, beforeMs), notInArray(t.status, ['pending', 'running']))
        const due = tx.select({ id: t.id }).from(t).where(isOld).limit(BATCH)
        return (await tx.delete(t).where(inArray(t.id, due)).returning({ id: t.id })).length
      })
    }
    await pruneDays(context)
  },
})

/** Deletes daily counts that are too old for any summary. */
async function pruneDays({ write, signal, nowMs }: JobContext<'compliance.checklog.prune'>): Promise<void> {
  const beforeMs = nowMs - (DAYS_MAX + 1) * DAY_MS
  for (let gone = BATCH; gone === BATCH && !signal.aborted; ) {
    gone = await write(async ({ tx }) => {
      const { checkDays: t } = complianceTables(tx)
      const due = tx.select({ id: t.id }).from(t).where(lt(t.dayMs, beforeMs)).limit(BATCH)
      return (await tx.delete(t).where(inArray(t.id, due)).returning({ id: t.id })).length
    })
  }
}

async function pruneOrganization(
  { read, write, signal }: JobContext<'compliance.checklog.prune'>,
  orgId: string,
  beforeMs: number,
): Promise<void> {
  const seal = await read((db) => newestSeal(db, orgId))
  if (seal === null) return
  // guard: only-sealed-rows-are-pruned
  const sealedMs = Math.min(beforeMs, seal.throughMs)
  // Late rows are kept until the next seal includes them.
  const waiting = await read((db) => unsealedRows(db, orgId, seal, sealedMs, 1))
  const throughMs = waiting.length === 0 ? sealedMs : Math.min(beforeMs, seal.throughMs - CHECK_LATE_MS)
  const [due] = await read((db) => {
    const { checks: t } = complianceTables(db)
    const isDue = and(eq(t.orgId, orgId), lt(t.createdAtMs, throughMs))
    return db.select({ id: t.id }).from(t).where(isDue).limit(1)
  })
  if (due === undefined) return
  await write(({ audit }) =>
    audit('compliance.checklog.prune', {
      orgId,
      targetType: 'check-log',
      targetId: orgId,
      // guard: pruning-is-said-in-the-chain-before-it-is-done
      details: { through: toIso(throughMs) },
    }),
  )
  for (let gone = BATCH; gone === BATCH && !signal.aborted; ) {
    gone = await write(async ({ tx }) => {
      const { checks: t } = complianceTables(tx)
      const rows = tx
        .select({ id: t.id })
        .from(t)
        .where(and(eq(t.orgId, orgId), lt(t.createdAtMs, throughMs)))
        .limit(BATCH)
      return (await tx.delete(t).where(inArray(t.id, rows)).returning({ id: t.id })).length
    })
  }
  await write(async ({ tx }) => {
    const { checkSeals: t } = complianceTables(tx)
    // The newest seal is kept regardless of age: the next seal begins where it ends.
    await tx.delete(t).where(and(eq(t.orgId, orgId), lt(t.throughMs, throughMs), ne(t.id, seal.id)))
  })
}

export const pruneChecksSchedule = defineSchedule({
  name: pruneChecksJob.kind,
  kind: pruneChecksJob.kind,
  everyMs: DAY_MS,
  payload: {},
})
