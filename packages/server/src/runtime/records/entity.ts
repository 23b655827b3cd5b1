/**
 * Records that rules see: their projection, the inventory that scans read, and the event that each change queues in its
 * own transaction, so that a deployed record is checked again. Source: spec compliance 13.1 and 18.
 */
import type { Target } from '@plumbline/engine'
import type { WriteContext } from '../operation/context.js'

export interface EntityChange {
  readonly target: Target
  readonly entityId: string
  readonly eventType: 'created' | 'updated' | 'deleted' | 'restored'
}

export const RECHECK_JOB = 'compliance.recheck'

/**
 * Queues the re-check of a changed record, in the transaction of the change. Events are ordered by when the change was
 * written, because requests that began later can be written earlier.
 */
export async function announceEntity(
  context: Pick<WriteContext, 'enqueue' | 'runtime' | 'actor'>,
  orgId: string,
  change: EntityChange,
): Promise<void> {
  const payload: EntityEvent = {
    eventId: context.runtime.ids.next(),
    orgId,
    ...change,
    userId: context.actor.id,
    timestampMs: context.runtime.clock.now(),
  }
  await context.enqueue({ kind: RECHECK_JOB, orgId, payload })
}

/** The payload of the job `compliance.recheck`. */
export interface EntityEvent extends EntityChange {
  readonly eventId: string
  readonly orgId: string
  readonly userId: string
  readonly timestampMs: number
}
