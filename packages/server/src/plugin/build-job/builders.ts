/**
 * Which builders are running, and what is wrong with them. Builders are known by their claims and heartbeats
 * (`docs/decisions/0070`); their faults by what they say (`docs/decisions/0266`).
 */
import { and, eq, isNotNull, isNull, lt, max, ne, or } from 'drizzle-orm'
import { redactText } from '../../runtime/log/redact.js'
import type { Db, Tx } from '../../runtime/store/db.js'
import type { BuilderFault } from '../builder-program/fault-reasons.js'
import { pluginTables } from '../tables.js'

/** A builder that neither claimed a build nor sent a heartbeat for this time counts as gone. */
export const BUILDER_GONE_MS = 5 * 60_000
/** A builder polls every few seconds; its time is written at most this often. */
const NOTED_EVERY_MS = 60_000
const FAULT_CHARS_MAX = 500

/** What a builder says of itself when it asks for a build. */
export interface BuilderFacts {
  readonly version: string | null
  readonly capabilities: readonly string[]
  /** Why it cannot take a build; null when it has just started and knows of no fault; undefined to leave what is known. */
  readonly fault: BuilderFault | null | undefined
}

export async function noteBuilder(tx: Tx, worker: string, nowMs: number): Promise<void> {
  const { builders } = pluginTables(tx)
  const row = { name: worker, seenAtMs: nowMs }
  await tx
    .insert(builders)
    .values(row)
    .onConflictDoUpdate({ target: builders.name, set: row, setWhere: lt(builders.seenAtMs, nowMs - NOTED_EVERY_MS) })
}

export async function describeBuilder(
  tx: Tx,
  worker: string,
  { version, capabilities, fault }: BuilderFacts,
  nowMs: number,
): Promise<void> {
  const { builders } = pluginTables(tx)
  const row = {
    ...{ name: worker, seenAtMs: nowMs, version, capabilities },
    ...(fault === undefined ? {} : faultColumns(fault, nowMs)),
  }
  await tx.insert(builders).values(row).onConflictDoUpdate({ target: builders.name, set: row })
  // A machine on which a builder asks for builds can build.
  if (fault === undefined) await clear(tx, and(eq(builders.name, worker), eq(builders.fault, 'machine')))
}

/** The builder gave a build back. */
export async function noteFault(tx: Tx, worker: string, fault: BuilderFault, nowMs: number): Promise<void> {
  const { builders } = pluginTables(tx)
  const row = { name: worker, seenAtMs: nowMs, ...faultColumns(fault, nowMs) }
  await tx.insert(builders).values(row).onConflictDoUpdate({ target: builders.name, set: row })
}

/** The builder ended a build, so that what was wrong is not any more. */
export async function clearFault(tx: Tx, worker: string): Promise<void> {
  const { builders } = pluginTables(tx)
  await clear(tx, and(eq(builders.name, worker), isNotNull(builders.fault)))
}

async function clear(tx: Tx, where: ReturnType<typeof and>): Promise<void> {
  await tx.update(pluginTables(tx).builders).set(faultColumns(null, 0)).where(where)
}

const faultColumns = (fault: BuilderFault | null, nowMs: number) =>
  fault === null
    ? { fault: null, faultMessage: null, faultAtMs: null }
    : { fault: fault.reason, faultMessage: shown(fault.message), faultAtMs: nowMs }

/** One line without control characters: it goes to terminals. */
// guard: what-a-builder-says-is-scrubbed
const shown = (message: string): string =>
  redactText(message.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ').trim()).slice(0, FAULT_CHARS_MAX)

export async function hasBuilder(db: Db, nowMs: number): Promise<boolean> {
  const { builders } = pluginTables(db)
  // guard: a-builder-that-cannot-start-is-none
  const canStart = or(isNull(builders.fault), ne(builders.fault, 'machine'))
  const [seen] = await db
    .select({ atMs: max(builders.seenAtMs) })
    .from(builders)
    .where(canStart)
  return seen?.atMs !== null && seen?.atMs !== undefined && Number(seen.atMs) > nowMs - BUILDER_GONE_MS
}
