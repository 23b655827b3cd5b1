/**
 * Read marks of one message, one thread, or the whole inbox. A mark belongs to its reader, and setting it again changes
 * nothing.
 */
import { and, ne, type SQL, sql } from 'drizzle-orm'
import Type from 'typebox'
import type { WriteContext } from '../../runtime/operation/context.js'
import { none } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { recordRead } from '../event/record.js'
import { messageTables } from '../tables.js'
import type { Viewer } from '../visibility.js'

export const AUDIT = none('what a person has read concerns nobody else')

export const Marked = strictObject({ marked: Type.Integer({ description: 'Messages that were unread before' }) })

/** A single statement for any number of messages. @returns how many were unread. */
export async function mark(
  { tx, runtime, nowMs }: WriteContext<never>,
  viewer: Viewer,
  which: SQL | undefined,
): Promise<number> {
  const { messages: t, messageReads: r } = messageTables(tx)
  const { orgId, userId } = viewer
  const marked = await tx.rows(sql`INSERT INTO ${r} (org_id, user_id, message_id, read_at_ms)
    SELECT CAST(${orgId} AS text), CAST(${userId} AS text), ${t.id}, CAST(${nowMs} AS bigint) FROM ${t}
    WHERE ${and(which, ne(t.createdBy, userId))}
    AND NOT EXISTS (SELECT 1 FROM message_reads AS mark WHERE mark.org_id = ${orgId} AND mark.user_id = ${userId} AND mark.message_id = ${t.id})
    ON CONFLICT DO NOTHING RETURNING message_id`)
  if (marked.length > 0) await recordRead(tx, runtime, viewer)
  return marked.length
}
