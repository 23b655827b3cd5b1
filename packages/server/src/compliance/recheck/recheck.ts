/**
 * Checks a record again after it changed, under the tenant of the event (spec compliance 13.1). An event counts once.
 * An event that is older than the last recorded one is dropped: that check already read the newer state of the record.
 */
import { isDeepStrictEqual } from 'node:util'
import { and, eq } from 'drizzle-orm'
import type { Runtime } from '../../runtime/operation/context.js'
import type { EntityEvent } from '../../runtime/records/entity.js'
import type { Db, Tx } from '../../runtime/store/db.js'
import { insertNew } from '../../runtime/store/prepared.js'
import { beyondLimits } from '../check/beyond-limits.js'
import { decide, excessOf, readDecision } from '../check/evaluate.js'
import { closeFindings, keepFindings, ownerOf } from '../check/keep-findings.js'
import { checkRow, recordCheck } from '../check/record.js'
import { keyTextsOf } from '../exemption/active.js'
import type { Held } from '../rule-stamp.js'
import { sourceOf } from '../sources.js'
import { subjectOf } from '../subject.js'
import { type CheckRow, complianceTables } from '../tables.js'

/** What is written for an event. `row` is null when the record was deleted or is unknown. */
export interface Rechecked {
  readonly event: EntityEvent
  readonly row: CheckRow | null
  /** The keys by which exemptions name the record. */
  readonly keys: readonly string[]
  readonly ownerId: string | null
}

type Event = Pick<EntityEvent, 'eventId' | 'orgId' | 'target' | 'entityId' | 'eventType' | 'userId' | 'timestampMs'>

/** Used in place of a record that this server does not store. */
export interface SentEntity {
  readonly name: string | null
  readonly attributes: Readonly<Record<string, unknown>>
}

/** Reads and evaluates. @throws when there is no verdict, for whatever reason: the event is retried. */
export async function evaluateEvent(
  db: Db,
  runtime: Runtime,
  held: Held,
  event: Event,
  nowMs: number,
  sent: SentEntity | null = null,
): Promise<Rechecked> {
  const source = sourceOf(runtime, event.target)
  const isGone = event.eventType === 'deleted'
  const entity = isGone ? null : ((await source.read(db, held.orgId, event.entityId)) ?? sent)
  if (entity === null) return { event, row: null, keys: [], ownerId: null }
  const { entityId } = event
  const subject = subjectOf(event.target, { entityId, entityName: entity.name }, entity.attributes)
  const decision = await readDecision(db, runtime, held, subject)
  const excess = excessOf(event.target, entity.attributes, runtime.settings)
  const verdict = excess === null ? decide(decision, entity.attributes, nowMs) : beyondLimits(excess)
  const entry = {
    orgId: held.orgId,
    userId: event.userId,
    subject,
    action: 'recheck' as const,
    attributes: entity.attributes,
    verdict,
    eventId: event.eventId,
  }
  const keys = keyTextsOf(decision.subject.key)
  return { event, row: checkRow(runtime, entry, nowMs), keys, ownerId: ownerOf(entity.attributes) }
}

/**
 * @returns false for an event that was recorded before, or is older than the last recorded one; else whether it is
 * news: the entity is blocked, and by other rules than at the last event.
 */
export async function recordEvent(
  tx: Tx,
  { ids }: Pick<Runtime, 'ids'>,
  { event, row, keys, ownerId }: Rechecked,
  nowMs: number,
): Promise<false | { readonly isNews: boolean }> {
  const { entityStates: t } = complianceTables(tx)
  const key = { orgId: event.orgId, target: event.target, entityId: event.entityId }
  const state = {
    ...key,
    eventAtMs: event.timestampMs,
    eventId: event.eventId,
    result: row?.result ?? null,
    violatedRuleIds: violatedRules(row),
  }
  let isKnown = false
  // The row of the entity is also its lock: concurrent events of one entity are written one after another.
  if (!(await insertNew(tx, t, { id: ids.next(), ...state }))) {
    const sameEntity = and(eq(t.orgId, key.orgId), eq(t.target, key.target), eq(t.entityId, key.entityId))
    await tx.update(t).set({ orgId: key.orgId }).where(sameEntity)
    const [last] = await tx.select().from(t).where(sameEntity)
    // guard: an-older-event-after-a-newer-one
    if (last === undefined || last.eventId === event.eventId || last.eventAtMs > event.timestampMs) return false
    if (await wasRecorded(tx, event)) return false
    await tx.update(t).set(state).where(sameEntity)
    isKnown = last.result === 'block' && isDeepStrictEqual([...last.violatedRuleIds], state.violatedRuleIds)
  }
  if (row === null) await closeFindings(tx, key, nowMs)
  else {
    await recordCheck(tx, row)
    await keepFindings(tx, ids, [{ row, keys, ownerId }])
  }
  return { isNews: row?.result === 'block' && !isKnown }
}

/** Two events with the same timestamp: the first is no longer the last one, but it was counted. */
async function wasRecorded(tx: Tx, { orgId, eventId }: Event): Promise<boolean> {
  const { checks } = complianceTables(tx)
  const found = await tx
    .select({ id: checks.id })
    .from(checks)
    .where(and(eq(checks.orgId, orgId), eq(checks.eventId, eventId)))
  return found.length > 0
}

const violatedRules = (row: CheckRow | null): string[] =>
  row === null ? [] : [...new Set(row.violations.map((each) => (each as { ruleId: string }).ruleId))].sort()
