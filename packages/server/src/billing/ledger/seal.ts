/**
 * Writes the head of a ledger to the account's audit chain. The hash of the newest row covers every row before it. So a
 * row that is later changed, dropped or moved contradicts evidence that left the database (ADR 119).
 *
 * INVARIANT: what a seal says was read under the account's lock, and the seal is written in that transaction.
 */
import { ledgerSealHash } from '@plumbline/audit-chain'
import { and, asc, eq, gt } from 'drizzle-orm'
import { HOUR_MS } from '../../runtime/clock.js'
import { defineJob, defineSchedule } from '../../runtime/jobs/define.js'
import type { AuditEntry } from '../../runtime/operation/context.js'
import { strictObject } from '../../runtime/operation/schema.js'
import type { Db, Tx } from '../../runtime/store/db.js'
import { apart } from '../account/apart.js'
import { lockRoot } from '../account/writing.js'
import { billingTables } from '../tables.js'

const KIND = 'billing.ledger-seal'
const AT_ONCE = 200

interface Sealing {
  readonly tx: Tx
  audit(action: 'billing.ledger.seal', entry: AuditEntry): Promise<void>
}

/**
 * Seals every ledger of the account that has rows after its last seal.
 *
 * @returns The number of seals.
 */
export async function sealLedgers({ tx, audit }: Sealing, orgId: string): Promise<number> {
  await lockRoot({ tx }, orgId)
  const { billingSubscriptions: t } = billingTables(tx)
  // guard: a-ledger-is-sealed-once
  const unsealed = and(eq(t.orgId, orgId), gt(t.lastSeq, t.sealedSeq))
  const rows = await tx.select().from(t).where(unsealed).orderBy(asc(t.id))
  for (const { id, lastSeq, sealedSeq, balanceCents, ledgerHash } of rows) {
    await tx.update(t).set({ sealedSeq: lastSeq }).where(eq(t.id, id))
    await audit('billing.ledger.seal', {
      orgId,
      targetType: 'subscription',
      targetId: id,
      affectedOrgId: orgId,
      details: {
        subscriptionId: id,
        firstSeq: sealedSeq + 1,
        lastSeq,
        balanceCents,
        hash: ledgerSealHash(ledgerHash),
      },
    })
  }
  return rows.length
}

export const ledgerSealJob = defineJob({
  kind: KIND,
  payload: strictObject({}),
  audit: ['billing.ledger.seal'],
  concurrency: 1,
  async run({ runtime, read, write, signal }) {
    if (!runtime.settings.BILLING_ENABLED) return
    for (let after = ''; !signal.aborted; ) {
      const due = await read((db) => unsealedAfter(db, after))
      for (const orgId of new Set(due.map((each) => each.orgId))) {
        if (signal.aborted) return
        await apart(runtime, orgId, () => write((writing) => sealLedgers(writing, orgId)))
      }
      const last = due.at(-1)
      if (last === undefined || due.length < AT_ONCE) return
      after = last.id
    }
  },
})

export const ledgerSealSchedule = defineSchedule({ name: KIND, kind: KIND, everyMs: HOUR_MS, payload: {} })

async function unsealedAfter(db: Db, after: string): Promise<{ id: string; orgId: string }[]> {
  const { billingSubscriptions: t } = billingTables(db)
  return db
    .select({ id: t.id, orgId: t.orgId })
    .from(t)
    .where(and(gt(t.lastSeq, t.sealedSeq), gt(t.id, after)))
    .orderBy(asc(t.id))
    .limit(AT_ONCE)
}
