/** A delivery as it is stored: claimed once, handled under a fence, with its text sealed and deleted after 30 days. */
import { and, eq, inArray, lte, or, type Placeholder, sql } from 'drizzle-orm'
import type { Runtime } from '../../runtime/operation/context.js'
import { perRuntime } from '../../runtime/per-runtime.js'
import { createSecretBox } from '../../runtime/secret-box.js'
import type { Db, Tx } from '../../runtime/store/db.js'
import { insertNew, prepared } from '../../runtime/store/prepared.js'
import { readEvent } from '../card/read.js'
import type { ProviderEvent } from '../provider/port.js'
import { type DeliveryRow, providerTables } from '../provider-tables.js'

export const DELIVERY_STATES = ['in_progress', 'failed', 'dead', 'done', 'ignored'] as const
export type DeliveryState = (typeof DELIVERY_STATES)[number]
export const ATTEMPTS_MAX = 8
export const KEPT_MS = 30 * 86_400_000
const BACKOFF_MS = 30_000

export const deliveryId = (source: string, eventId: string): string => `${source}:${eventId}`
const boxOf = perRuntime(({ settings }) => createSecretBox(settings.SECRET_ENCRYPTION_KEYS ?? []))
const purpose = (id: string): string => `billing delivery ${id}`

/** As it was delivered; null once it is erased. */
export const openText = (runtime: Runtime, row: DeliveryRow): string | null =>
  row.payload === null ? null : boxOf(runtime).open(row.payload, purpose(row.id))

export function openEvent(runtime: Runtime, row: DeliveryRow): ProviderEvent | null {
  const text = openText(runtime, row)
  return text === null ? null : readEvent(JSON.parse(text))
}

/** What is stored of a delivery besides its text. */
export interface Told extends Pick<ProviderEvent, 'id' | 'type' | 'objectId' | 'createdAtMs'> {
  readonly source: 'card_provider' | 'marketplace'
}

export type Claimed =
  | { readonly kind: 'mine'; readonly row: DeliveryRow }
  | { readonly kind: 'duplicate' }
  | { readonly kind: 'elsewhere' }

/** Returns the right to handle the delivery, or why another process has it. */
export async function claimNew(
  { tx, runtime, nowMs }: { readonly tx: Tx; readonly runtime: Runtime; readonly nowMs: number },
  event: Told,
  text: string,
): Promise<Claimed> {
  const { billingWebhookEvents: t } = providerTables(tx)
  const id = deliveryId(event.source, event.id)
  const fresh: DeliveryRow = {
    id,
    source: event.source,
    eventId: event.id,
    type: event.type,
    objectId: event.objectId,
    state: 'in_progress',
    effect: null,
    fence: 1,
    leaseUntilMs: nowMs + leaseMs(runtime),
    attempts: 1,
    nextAtMs: nowMs,
    payload: boxOf(runtime).seal(text, purpose(id)),
    sentAtMs: event.createdAtMs,
    receivedAtMs: nowMs,
    doneAtMs: null,
  }
  // guard: a-delivery-is-known-by-its-id
  if (await insertNew(tx, t, fresh)) return { kind: 'mine', row: fresh }
  const known = await findDelivery(tx, id)
  if (known === null) return { kind: 'elsewhere' }
  if (known.state === 'done' || known.state === 'ignored') return { kind: 'duplicate' }
  const row = await claimAgain({ tx, runtime, nowMs }, known)
  return row === null ? { kind: 'elsewhere' } : { kind: 'mine', row }
}

const leaseMs = ({ settings }: Runtime): number => settings.BILLING_WEBHOOK_INPROGRESS_TTL_SECONDS * 1000

/** @returns null while another process has it. */
export async function claimAgain(
  { tx, runtime, nowMs }: { readonly tx: Tx; readonly runtime: Runtime; readonly nowMs: number },
  known: DeliveryRow,
  states: readonly DeliveryState[] = ['in_progress', 'failed', 'dead'],
): Promise<DeliveryRow | null> {
  const { billingWebhookEvents: t } = providerTables(tx)
  const isFree = or(inArray(t.state, ['failed', 'dead', 'done', 'ignored']), lte(t.leaseUntilMs, nowMs))
  const [row] = await tx
    .update(t)
    .set({
      state: 'in_progress',
      fence: known.fence + 1,
      leaseUntilMs: nowMs + leaseMs(runtime),
      attempts: known.attempts + 1,
    })
    .where(
      and(
        eq(t.id, known.id),
        eq(t.fence, known.fence),
        inArray(t.state, [...states]),
        // guard: a-delivery-is-in-one-hand
        isFree,
      ),
    )
    .returning()
  return row ?? null
}

export async function findDelivery(db: Db, id: string): Promise<DeliveryRow | null> {
  const { billingWebhookEvents: t } = providerTables(db)
  const [row] = await db.select().from(t).where(eq(t.id, id))
  return row ?? null
}

/**
 * Call this in the transaction of the effect.
 *
 * @throws Error when another process took the delivery over. The effect is then rolled back.
 */
export async function endDelivery(
  { tx, nowMs }: { readonly tx: Tx; readonly nowMs: number },
  row: DeliveryRow,
  state: 'done' | 'ignored',
  effect: string,
): Promise<void> {
  const ended = await end(tx, { id: row.id, fence: row.fence, state, effect, nowMs })
  // guard: the-effect-of-a-delivery-is-under-its-fence
  if (ended.length === 0) throw new Error(`another process handles the delivery ${row.id}`)
}

type EndName = 'id' | 'fence' | 'state' | 'effect' | 'nowMs'

const end = prepared((db, value: (name: EndName) => Placeholder) => {
  const { billingWebhookEvents: t } = providerTables(db)
  return db
    .update(t)
    .set({
      state: sql`${value('state')}`,
      effect: sql`${value('effect')}`,
      leaseUntilMs: 0,
      doneAtMs: sql`${value('nowMs')}`,
    })
    .where(and(eq(t.id, value('id')), eq(t.fence, value('fence'))))
    .returning({ id: t.id })
})

/** Records a failure. The job retries it, whether or not the sender sends again. After eight attempts it is dead. */
export async function failDelivery(
  { tx, nowMs }: { readonly tx: Tx; readonly nowMs: number },
  row: DeliveryRow,
  error: unknown,
): Promise<void> {
  const { billingWebhookEvents: t } = providerTables(tx)
  const message = error instanceof Error ? error.message : String(error)
  await tx
    .update(t)
    .set({
      state: row.attempts >= ATTEMPTS_MAX ? 'dead' : 'failed',
      effect: message.slice(0, 300),
      leaseUntilMs: 0,
      nextAtMs: nowMs + BACKOFF_MS * 2 ** Math.min(row.attempts, 8),
    })
    .where(and(eq(t.id, row.id), eq(t.fence, row.fence)))
}
