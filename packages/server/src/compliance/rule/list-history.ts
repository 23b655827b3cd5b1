/**
 * `GET /compliance/rules/:id/history`: when a rule was changed, and what it was before. For an own rule, also a deleted
 * one, it includes who changed it. For a published rule every organization sees the history, without names.
 */
import { and, eq, isNull, or } from 'drizzle-orm'
import Type from 'typebox'
import { toIso } from '../../runtime/clock.js'
import { notFound } from '../../runtime/errors.js'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import { permission } from '../../runtime/operation/access.js'
import { tenantId } from '../../runtime/operation/context.js'
import { listOf } from '../../runtime/operation/list.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { Instant, nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'
import { complianceTables } from '../tables.js'

const HistoryEntry = strictObject({
  id: Uuid,
  ruleId: Uuid,
  orgId: Uuid,
  version: Type.Integer({ minimum: 1 }),
  changeType: Type.Enum(['created', 'updated', 'deleted', 'restored']),
  previousState: nullable(Type.Record(Type.String(), Type.Unknown(), { description: 'The rule before the change' })),
  changedBy: nullable(Type.String()),
  changedAt: Instant,
})

const list = listOf({ key: 'history', item: HistoryEntry, sortBy: ['changedAt', 'createdAt'] })

export const listRuleHistory = query({
  name: 'compliance.rule.list-history',
  summary: 'List the changes of a rule',
  http: { method: 'get', path: '/compliance/rules/:id/history' },
  access: permission('compliance:read'),
  tenant: fromHeader,
  snapshot: true,
  input: { path: Type.Object({ id: Uuid }), query: list.query },
  output: list.output,
  errors: ['NOT_FOUND', 'VALIDATION_ERROR'],
  async run(context, { path, query: wanted }) {
    const { db } = context
    const orgId = tenantId(context)
    const { rules, ruleHistory: t } = complianceTables(db)
    const isOffered = and(eq(rules.orgId, SYSTEM_ORG_ID), eq(rules.scope, 'published'), isNull(rules.deletedAtMs))
    // guard: the-history-of-an-own-rule
    const [rule] = await db
      .select({ id: rules.id, orgId: rules.orgId })
      .from(rules)
      .where(and(eq(rules.id, path.id), or(eq(rules.orgId, orgId), isOffered)))
    if (rule === undefined) throw notFound('Rule')
    const isOwn = rule.orgId === orgId
    return list.page(db, {
      table: t,
      where: and(eq(t.ruleId, rule.id), eq(t.orgId, rule.orgId)),
      // An entry is written when the change is made.
      columns: { changedAt: t.changedAtMs, createdAt: t.changedAtMs },
      id: t.id,
      query: wanted,
      present: ({ changedAtMs, scope: _, ...row }) => ({
        ...row,
        changedBy: isOwn ? row.changedBy : null,
        changeType: row.changeType as 'created',
        previousState: row.previousState as Record<string, unknown> | null,
        changedAt: toIso(changedAtMs),
      }),
    })
  },
})
