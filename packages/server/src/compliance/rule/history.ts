/** `GET /compliance/rules/:id/history`: who changed an own rule when, and what it was before; of a deleted rule too. */
import { and, eq } from 'drizzle-orm'
import Type from 'typebox'
import { toIso } from '../../runtime/clock.js'
import { notFound } from '../../runtime/errors.js'
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

const list = listOf({ key: 'history', item: HistoryEntry, sortBy: ['changedAt'] })

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
  async run({ db, ...context }, { path, query: wanted }) {
    const orgId = tenantId(context)
    const { rules, ruleHistory: t } = complianceTables(db)
    const [rule] = await db
      .select({ id: rules.id })
      .from(rules)
      .where(and(eq(rules.id, path.id), eq(rules.orgId, orgId)))
    if (rule === undefined) throw notFound('Rule')
    return list.page(db, {
      table: t,
      where: and(eq(t.ruleId, rule.id), eq(t.orgId, orgId)),
      columns: { changedAt: t.changedAtMs },
      id: t.id,
      query: wanted,
      present: ({ changedAtMs, ...row }) => ({
        ...row,
        changeType: row.changeType as 'created',
        previousState: row.previousState as Record<string, unknown> | null,
        changedAt: toIso(changedAtMs),
      }),
    })
  },
})
