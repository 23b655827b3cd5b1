/**
 * Soft delete: a deleted record stays for `SOFT_DELETE_RETENTION_DAYS`. Until then it can be restored, or purged by
 * hand. A sweep every six hours purges it afterwards, in batches. Its capacity is free at once. Source: spec platform
 * 22.
 */
import type { ActionName } from '@plumbline/audit-chain'
import { and, asc, isNotNull, isNull, lte, type SQL } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import Type, { type Static } from 'typebox'
import { DAY_MS, toIso, toIsoOrNull } from '../clock.js'
import { type AnyJob, defineJob, defineSchedule, type Schedule } from '../jobs/define.js'
import type { Runtime, WriteContext } from '../operation/context.js'
import { none } from '../operation/operation.js'
import { Instant, nullable, strictObject, Uuid } from '../operation/schema.js'
import type { Db, Tx } from '../store/db.js'
import type { Kit } from '../store/kit.js'
import { skippingLocked } from '../store/postgres.js'

const SWEEP_EVERY_MS = 6 * 3_600_000
const BATCH = 500

export interface SoftDeleted {
  readonly deletedAtMs: number | null
  readonly deletedBy: string | null
  readonly purgeAfterMs: number | null
}

/** The columns of a table whose records are soft-deleted. The sweep needs an index on `purgeAfterMs`. */
export const softDeleteColumns = (k: Kit) => ({
  deletedAtMs: k.epochMs('deleted_at_ms'),
  deletedBy: k.text('deleted_by'),
  /** When it may be purged. */
  purgeAfterMs: k.epochMs('purge_after_ms'),
})

interface TombstoneColumns {
  readonly deletedAtMs: SQLiteColumn
}

export const isLive = (table: TombstoneColumns): SQL => isNull(table.deletedAtMs)
export const isDeleted = (table: TombstoneColumns): SQL => isNotNull(table.deletedAtMs)

type DeletedNow = { readonly [K in keyof SoftDeleted]: NonNullable<SoftDeleted[K]> }

/** The columns of a record that is deleted now. */
export const deletedNow = ({
  nowMs,
  actor,
  runtime,
}: Pick<WriteContext, 'nowMs' | 'actor' | 'runtime'>): DeletedNow => ({
  deletedAtMs: nowMs,
  deletedBy: actor.id,
  purgeAfterMs: nowMs + runtime.settings.SOFT_DELETE_RETENTION_DAYS * DAY_MS,
})

/** The columns of a live or restored record. */
export const NOT_DELETED: SoftDeleted = { deletedAtMs: null, deletedBy: null, purgeAfterMs: null }

/** The fields of a record's answer. */
export const SOFT_DELETE_OUTPUT = { deletedAt: nullable(Instant), purgeAfter: nullable(Instant) }

export const softDeleteView = ({ deletedAtMs, purgeAfterMs }: SoftDeleted) => ({
  deletedAt: toIsoOrNull(deletedAtMs),
  purgeAfter: toIsoOrNull(purgeAfterMs),
})

/** The answer of every DELETE of such a record. `message` is for people. */
export const Deleted = strictObject({ id: Uuid, deletedAt: Instant, purgeAfter: Instant, message: Type.String() })

/** @param what such as `the rule no-latest`. */
export const deletedView = (
  id: string,
  what: string,
  { deletedAtMs, purgeAfterMs }: DeletedNow,
): Static<typeof Deleted> => ({
  id,
  deletedAt: toIso(deletedAtMs),
  purgeAfter: toIso(purgeAfterMs),
  message: `${what} is deleted; it can be restored until ${toIso(purgeAfterMs)}`,
})

/** The answer of every purge of such a record. */
export const PurgedAnswer = strictObject({ id: Uuid, purged: Type.Literal(true), message: Type.String() })

export const purgedView = (id: string, what: string): Static<typeof PurgedAnswer> => ({
  id,
  purged: true,
  message: `${what} is purged`,
})

type SweptTable = SQLiteTable & {
  readonly id: SQLiteColumn
  readonly orgId: SQLiteColumn
  readonly purgeAfterMs: SQLiteColumn
  readonly name?: SQLiteColumn
}

/** A kind of record that the sweep purges. */
export interface Swept {
  /** `pipeline.sweep-deleted`: the names of the job and of its schedule. */
  readonly kind: `${string}.${string}`
  tables(db: Db): SweptTable
  /** Deletes these records of one organization together with everything that depends on them. */
  purge(tx: Tx, orgId: string, ids: readonly string[], runtime?: Runtime): Promise<void>
  /** When set, each purge writes evidence of its own. Otherwise only the deletion did. */
  readonly evidence?: { readonly action: ActionName; readonly targetType: string }
}

/** A record that was purged. */
export interface Purged {
  readonly id: string
  readonly orgId: string
  /** Its name, where it has one, else its id. */
  readonly name: string
}

/**
 * The job that purges what is due, and its job schedule. It runs as the system, because records of all organizations
 * may be due.
 */
export function sweepOf(swept: Swept): { readonly job: AnyJob; readonly schedule: Schedule } {
  const { kind, evidence } = swept
  const job = defineJob({
    kind,
    payload: Type.Object({}),
    audit: evidence === undefined ? none('the deletion was recorded, and its end was known then') : [evidence.action],
    concurrency: 1,
    async run({ write, signal, runtime }) {
      for (let rows = BATCH; rows === BATCH && !signal.aborted; ) {
        rows = await write(async ({ tx, nowMs, audit }) => {
          const purged = await sweepDue(tx, swept, nowMs, BATCH, runtime)
          if (evidence !== undefined) {
            const { action, targetType } = evidence
            for (const { id, orgId, name } of purged) {
              await audit(action, { orgId, targetType, targetId: id, details: { name } })
            }
          }
          return purged.length
        })
      }
    },
  })
  return { job, schedule: defineSchedule({ name: kind, kind, everyMs: SWEEP_EVERY_MS }) }
}

/** Purges at most `rowsMax` records whose retention has ended. */
export async function sweepDue(
  tx: Tx,
  swept: Swept,
  nowMs: number,
  rowsMax: number,
  runtime?: Runtime,
): Promise<Purged[]> {
  const table = swept.tables(tx)
  const query = tx
    .select({ id: table.id, orgId: table.orgId, name: table.name ?? table.id })
    .from(table)
    .where(and(isNotNull(table.purgeAfterMs), lte(table.purgeAfterMs, nowMs)))
    .orderBy(asc(table.purgeAfterMs), asc(table.id))
    .limit(rowsMax)
  // A record that is restored at this moment stays, and one that is purged here cannot be restored.
  // guard: what-is-restored-meanwhile-is-not-purged
  const due = (await skippingLocked(tx, query)) as Purged[]
  for (const orgId of new Set(due.map((row) => row.orgId))) {
    await swept.purge(
      tx,
      orgId,
      due.filter((row) => row.orgId === orgId).map(({ id }) => id),
      runtime,
    )
  }
  return due
}
