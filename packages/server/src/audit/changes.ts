/**
 * Changes of records, derived from their audit events. Every command that changes something writes an event to the
 * chain of its organization; sealed events are in commit order. The topic is the area and the noun of the action.
 */
import { and, asc, eq, gt } from 'drizzle-orm'
import { type Access, permission } from '../runtime/operation/access.js'
import type { Changed, ChangeSource } from '../runtime/operation/change-source.js'
import type { Db } from '../runtime/store/db.js'
import { auditTables } from './tables.js'

/** Further changes are reported by the next read. */
const AT_ONCE = 200

/**
 * Who can list the records of an area. Changes of an area that is not listed here are sent to every member: they say
 * only that something changed.
 */
const READ_BY: Readonly<Record<string, Access>> = {
  audit: permission('audit:read'),
  billing: permission('billing:read'),
  compliance: permission('compliance:read'),
  message: permission('messages:read'),
  pipeline: permission('pipelines:read'),
  plugin: permission('plugins:read'),
  quota: permission('quotas:read'),
  registry: permission('plugins:read'),
  reports: permission('reports:read'),
}

async function look(db: Db, orgId: string, mark: string | null): Promise<Changed> {
  const { auditEvents: t, auditHeads } = auditTables(db)
  const from = mark === null || !/^\d{1,15}$/.test(mark) ? null : Number(mark)
  if (from === null) {
    const [head] = await db.select({ seq: auditHeads.seq }).from(auditHeads).where(eq(auditHeads.chain, orgId))
    return { mark: String(head?.seq ?? 0), topics: [] }
  }
  // guard: changes-of-the-own-chain
  const own = eq(t.chain, orgId)
  const rows = await db
    .select({ seq: t.seq, action: t.action })
    .from(t)
    .where(and(own, gt(t.seq, from)))
    .orderBy(asc(t.seq))
    .limit(AT_ONCE)
  const topics = rows.map(({ action }) => action.split('.').slice(0, 2).join('.'))
  return { mark: String(rows.at(-1)?.seq ?? from), topics: [...new Set(topics)] }
}

export const AUDIT_CHANGES: ChangeSource = {
  name: 'audit',
  access: (topic) => READ_BY[topic.split('.')[0] ?? ''],
  look,
}
