/** Deletes invoices whose ten years of retention are over. */
import { asc, inArray, lte } from 'drizzle-orm'
import { DAY_MS } from '../../runtime/clock.js'
import { defineJob, defineSchedule } from '../../runtime/jobs/define.js'
import { none } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { keptTables } from '../kept-tables.js'

const KIND = 'billing.kept-invoices'
const ROWS_A_BATCH = 500

export const keptInvoicesJob = defineJob({
  kind: KIND,
  payload: strictObject({}),
  audit: none('what ends is how long an invoice is kept, and that was said when it was kept'),
  concurrency: 1,
  async run({ runtime, write, nowMs, signal }) {
    // Rows stay unchanged while billing is off.
    if (!runtime.settings.BILLING_ENABLED) return
    for (let gone = ROWS_A_BATCH; gone === ROWS_A_BATCH && !signal.aborted; ) {
      gone = await write(async ({ tx }) => {
        const { billingKeptInvoices: t } = keptTables(tx)
        const due = tx
          .select({ id: t.id })
          .from(t)
          .where(lte(t.keptUntilMs, nowMs))
          .orderBy(asc(t.keptUntilMs))
          .limit(ROWS_A_BATCH)
        return (await tx.delete(t).where(inArray(t.id, due)).returning({ id: t.id })).length
      })
    }
  },
})

export const keptInvoicesSchedule = defineSchedule({ name: KIND, kind: KIND, everyMs: DAY_MS, payload: {} })
