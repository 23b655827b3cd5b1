/**
 * Records that rules see: their projection, the inventory that scans read, and the event that each change of one queues in
 * its own transaction, so that a deployed record is checked again. Source: compliance decisions 13.1 and 18.
 */
import type { Target } from '@plumbline/engine'
import type { WriteContext } from '../operation/context.js'
import type { Db } from '../store/db.js'

/** A stored record as rules see it. */
export interface Entity {
  readonly id: string
  readonly name: string
  readonly revision: number
  /** The whole projection (`projectEntity`). */
  readonly attributes: Readonly<Record<string, unknown>>
}

export interface EntityFilter {
  readonly entityIds?: readonly string[]
  /** A part of the name, of either case. */
  readonly name?: string
  readonly accessModifier?: string
  readonly isDefault?: boolean
}

/** The live inventory of one kind of record; the domain that owns it registers it. */
export interface EntitySource {
  readonly target: Target
  /** Null for a record that is deleted, another organization's or unknown. */
  read(db: Db, orgId: string, id: string): Promise<Entity | null>
  /** At most `limit` live records behind `afterId`, by id. */
  page(
    db: Db,
    orgId: string,
    page: { afterId: string; limit: number; filter?: EntityFilter },
  ): Promise<readonly Entity[]>
  count(db: Db, orgId: string, filter?: EntityFilter): Promise<number>
  /** The live record of this name, so that an exemption holds over a new upload (compliance decisions 9). */
  idOfName(db: Db, orgId: string, name: string): Promise<string | null>
}

export interface EntityChange {
  readonly target: Target
  readonly entityId: string
  readonly eventType: 'created' | 'updated' | 'deleted' | 'restored'
}

export const RECHECK_JOB = 'compliance.recheck'

/** Queues the re-check of a changed record, in the transaction of the change. */
export async function announceEntity(
  context: Pick<WriteContext, 'enqueue' | 'runtime' | 'nowMs' | 'actor'>,
  orgId: string,
  change: EntityChange,
): Promise<void> {
  const payload: EntityEvent = {
    eventId: context.runtime.ids.next(),
    orgId,
    ...change,
    userId: context.actor.id,
    timestampMs: context.nowMs,
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
