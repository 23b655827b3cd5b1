/**
 * Validity intervals: rows that say from when until when something was in force, from the instant of the change that
 * began it to the instant of the change that ended it. The process that makes a change sets its instant. Where the
 * clocks of two processes differ, intervals of one subject may overlap or end before they begin. The later change
 * counts then, as it did at the time.
 */
import { and, gt, isNull, lte, or, type SQL } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'

export interface Interval {
  readonly validFromMs: number
  /** Null while it lasts. */
  readonly validToMs: number | null
}

/** Rows in force at the instant. A change in the same millisecond has already taken effect. */
export const heldAt = (t: { readonly [K in keyof Interval]: SQLiteColumn }, atMs: number): SQL | undefined =>
  // guard: a-version-of-the-past-is-one-of-then
  and(lte(t.validFromMs, atMs), or(isNull(t.validToMs), gt(t.validToMs, atMs)))

/** One row for each key. Of several, the interval that ends last wins, because nothing came after it. */
export function lastOfEach<T extends Interval>(rows: readonly T[], key: (row: T) => string): T[] {
  const end = ({ validToMs }: Interval): number => validToMs ?? Number.POSITIVE_INFINITY
  const last = new Map<string, T>()
  for (const row of rows) {
    const known = last.get(key(row))
    // guard: of-overlapping-intervals-the-later-change-counts
    if (known === undefined || end(known) < end(row)) last.set(key(row), row)
  }
  return [...last.values()]
}
