/**
 * Blocks pushes during garbage collection: a new blob that no manifest refers to yet would be deleted. The hold is a
 * row with an expiry, so that it lapses if its process is killed.
 */
import { and, eq, gt, lt, type Placeholder } from 'drizzle-orm'
import { Refusal } from '../../runtime/errors.js'
import type { Runtime } from '../../runtime/operation/context.js'
import type { Db } from '../../runtime/store/db.js'
import { prepared } from '../../runtime/store/prepared.js'
import { registryTables } from '../tables.js'

const LASTS_MS = 5 * 60_000
const ID = 'push'

const holdAfter = prepared((db, value: (name: 'nowMs') => Placeholder) => {
  const { registryHolds: t } = registryTables(db)
  return db
    .select({ id: t.id })
    .from(t)
    .where(and(eq(t.id, ID), gt(t.untilMs, value('nowMs'))))
})

/** Whether push tokens are withheld now. */
export const isPushHeld = async (db: Db, nowMs: number): Promise<boolean> => (await holdAfter(db, { nowMs })).length > 0

/** @throws Refusal 409 while another collection runs. */
export async function takeHold({ store, clock }: Runtime, holder: string): Promise<void> {
  const isTaken = await store.system.write(async (tx) => {
    const { registryHolds: t } = registryTables(tx)
    const nowMs = clock.now()
    await tx.delete(t).where(and(eq(t.id, ID), lt(t.untilMs, nowMs)))
    const row = { id: ID, holder, untilMs: nowMs + LASTS_MS }
    return (await tx.insert(t).values(row).onConflictDoNothing().returning({ id: t.id })).length === 0
  })
  // guard: one-collection-at-a-time
  if (isTaken) throw new Refusal('CONFLICT', 'the registry is being garbage-collected: wait for its end')
}

export async function renewHold({ store, clock }: Runtime, holder: string): Promise<void> {
  await store.system.write(async (tx) => {
    const { registryHolds: t } = registryTables(tx)
    await tx
      .update(t)
      .set({ untilMs: clock.now() + LASTS_MS })
      .where(and(eq(t.id, ID), eq(t.holder, holder)))
  })
}

export async function endHold({ store }: Runtime, holder: string): Promise<void> {
  await store.system.write(async (tx) => {
    const { registryHolds: t } = registryTables(tx)
    await tx.delete(t).where(and(eq(t.id, ID), eq(t.holder, holder)))
  })
}
