/**
 * Seals the check log. Each hour, the chain of every organization that had checks gets one event with the checksum of
 * their rows (spec compliance 15; ADR 35). A row that is committed after its hour was sealed goes into the next seal if
 * it is late by at most `CHECK_LATE_MS`. A later row was never a genuine check, and verification reports it.
 *
 * INVARIANT: a row is in at most one manifest. Manifest and event are one transaction.
 */
import { CHECK_LATE_MS, sealedCheck, sealLine, sealSum } from '@plumbline/audit-chain'
import { nodeCrypto } from '@plumbline/audit-chain/node'
import { and, asc, desc, eq, gt, gte, lt, or } from 'drizzle-orm'
import { toIso } from '../../runtime/clock.js'
import { defineJob, defineSchedule, type JobContext } from '../../runtime/jobs/define.js'
import { strictObject } from '../../runtime/operation/schema.js'
import type { Db } from '../../runtime/store/db.js'
import { checkRecord } from '../check/list.js'
import { type CheckRow, type CheckSealRow, complianceTables } from '../tables.js'
import { organizationsWithChecks } from './organizations.js'
import { manifestLines } from './record.js'

export const SEAL_EVERY_MS = 3_600_000
/** Waits for checks of the hour that are still running when it ends. */
const GRACE_MS = 60_000
const PAGE = 1000

type Sealing = JobContext<'compliance.checklog.seal'>

/** @param rowsMax rows of one seal; an hour with more rows gets several seals. */
export const sealJob = (rowsMax: number) =>
  defineJob({
    kind: 'compliance.seal-checks',
    payload: strictObject({}),
    audit: ['compliance.checklog.seal'],
    concurrency: 1,
    async run(context) {
      const untilMs = Math.floor((context.nowMs - GRACE_MS) / SEAL_EVERY_MS) * SEAL_EVERY_MS
      for await (const orgId of organizationsWithChecks(context.read, context.signal)) {
        let isFull = true
        while (isFull && !context.signal.aborted) isFull = await sealNext(context, orgId, untilMs, rowsMax)
      }
    },
  })

export const sealChecksJob = sealJob(10_000)

export const sealChecksSchedule = defineSchedule({
  name: sealChecksJob.kind,
  kind: sealChecksJob.kind,
  everyMs: SEAL_EVERY_MS / 4,
  payload: {},
})

/** @returns whether there may be more rows before `untilMs`. */
async function sealNext(
  { runtime, read, write }: Sealing,
  orgId: string,
  untilMs: number,
  rowsMax: number,
): Promise<boolean> {
  const last = await read((db) => newestSeal(db, orgId))
  const rows = await read((db) => unsealedRows(db, orgId, last, untilMs, rowsMax))
  const [first, final] = [rows[0], rows.at(-1)]
  if (first === undefined || final === undefined) return false
  const isFull = rows.length === rowsMax
  const fromMs = last?.throughMs ?? Math.floor(first.createdAtMs / SEAL_EVERY_MS) * SEAL_EVERY_MS
  const lines = rows.map((row) => sealLine(sealedCheck(nodeCrypto, checkRecord(row))))
  const seal: CheckSealRow = {
    id: runtime.ids.next(),
    orgId,
    ordinal: (last?.ordinal ?? 0) + 1,
    fromMs,
    // When a seal is full, the remaining rows of the hour are later than its last row, or have the same instant and are
    // then sealed as late rows.
    throughMs: isFull ? Math.max(fromMs, final.createdAtMs) : untilMs,
    manifest: lines.map((line) => `${line}\n`).join(''),
  }
  await write(async ({ tx, audit }) => {
    await tx.insert(complianceTables(tx).checkSeals).values(seal)
    await audit('compliance.checklog.seal', {
      orgId,
      targetType: 'check-log',
      targetId: orgId,
      details: {
        count: rows.length,
        firstId: first.id,
        lastId: final.id,
        sha256: sealSum(nodeCrypto, lines),
        from: toIso(seal.fromMs),
        through: toIso(seal.throughMs),
      },
    })
  })
  return isFull
}

export async function newestSeal(db: Db, orgId: string): Promise<CheckSealRow | null> {
  const { checkSeals: t } = complianceTables(db)
  const [row] = await db.select().from(t).where(eq(t.orgId, orgId)).orderBy(desc(t.ordinal)).limit(1)
  return row ?? null
}

/** In the order of the manifest: by instant, then by id. */
export async function unsealedRows(
  db: Db,
  orgId: string,
  last: CheckSealRow | null,
  untilMs: number,
  rowsMax: number,
): Promise<CheckRow[]> {
  const { checks: t } = complianceTables(db)
  const openMs = last === null ? Number.MIN_SAFE_INTEGER : last.throughMs - CHECK_LATE_MS
  const sealed = await sealedSince(db, orgId, openMs)
  const found: CheckRow[] = []
  for (let after: CheckRow | undefined; found.length < rowsMax; ) {
    const behind: CheckRow | undefined = after
    const page: CheckRow[] = await db
      .select()
      .from(t)
      .where(
        and(
          eq(t.orgId, orgId),
          lt(t.createdAtMs, untilMs),
          gte(t.createdAtMs, openMs),
          behind === undefined
            ? undefined
            : or(
                gt(t.createdAtMs, behind.createdAtMs),
                and(eq(t.createdAtMs, behind.createdAtMs), gt(t.id, behind.id)),
              ),
        ),
      )
      .orderBy(asc(t.createdAtMs), asc(t.id))
      .limit(PAGE)
    // guard: a-row-is-sealed-once
    found.push(...page.filter(({ id }) => !sealed.has(id)))
    after = page.at(-1)
    if (page.length < PAGE) break
  }
  return found.slice(0, rowsMax)
}

/** The ids of rows from this instant on that are already in a manifest. */
async function sealedSince(db: Db, orgId: string, sinceMs: number): Promise<ReadonlySet<string>> {
  const { checkSeals: t } = complianceTables(db)
  const seals = await db
    .select({ manifest: t.manifest })
    .from(t)
    .where(and(eq(t.orgId, orgId), gte(t.throughMs, sinceMs)))
  return new Set(seals.flatMap(({ manifest }) => manifestLines(manifest).map((line) => line.split(' ', 1)[0] ?? '')))
}
