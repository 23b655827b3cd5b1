/**
 * Makes grants that were missed because of a restart or of an account's late entitlement, and corrects counters from
 * the ledger.
 */
import { eq } from 'drizzle-orm'
import { defineJob, defineSchedule } from '../../runtime/jobs/define.js'
import { none } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import type { Settings } from '../../runtime/settings/load.js'
import { creditTables } from '../credit-tables.js'
import { activateForAll, type Granting } from './activate-all.js'
import { activePromotions, promotionsAreOn } from './record.js'
import { readSpend } from './spend.js'

export const BACKFILL_KIND = 'billing.promotion-backfill'
const KIND = BACKFILL_KIND
const SYSTEM = { id: 'system', email: null, role: null, impersonatorId: null }

export const backfillJob = defineJob({
  kind: KIND,
  payload: strictObject({}),
  audit: none('the activation, or the promotion itself, is the evidence'),
  concurrency: 1,
  async run({ runtime, read, write, signal }) {
    if (!runtime.settings.BILLING_ENABLED || !promotionsAreOn(runtime)) return
    for (const promotion of await read(activePromotions)) {
      if (signal.aborted) return
      await write(async ({ tx }) => {
        const { billingPromotions: t } = creditTables(tx)
        // Locks the row, so that nothing is reserved between the sum and the write.
        const [row] = await tx.update(t).set({ name: promotion.name }).where(eq(t.id, promotion.id)).returning()
        if (row === undefined) return
        const { committedCents, committedGrants } = await readSpend(tx, row)
        await tx.update(t).set({ spentCents: committedCents, grantsCount: committedGrants }).where(eq(t.id, row.id))
      })
      const isDue = promotion.activatedAtMs !== null || promotion.triggerType === 'subscription_created'
      if (promotion.kind === 'recurring' || !isDue) continue
      const granting: Granting = {
        runtime,
        actor: SYSTEM,
        read: (run) => read((db) => run(db as Parameters<typeof run>[0])),
        write: (run) => write(({ tx }) => run(tx)),
      }
      await activateForAll(granting, promotion.id)
    }
  },
})

export const backfillSchedule = ({
  BILLING_PROMOTION_BACKFILL_INTERVAL_MS,
}: Pick<Settings, 'BILLING_PROMOTION_BACKFILL_INTERVAL_MS'>) =>
  defineSchedule({ name: KIND, kind: KIND, everyMs: BILLING_PROMOTION_BACKFILL_INTERVAL_MS, payload: {} })
