/** List the published rules, with what the organization has subscribed to. */
import { and, asc, eq, isNull } from 'drizzle-orm'
import Type, { type Static } from 'typebox'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import { permission } from '../../runtime/operation/access.js'
import { tenantId } from '../../runtime/operation/context.js'
import { countRows, listOf, type PageQuery } from '../../runtime/operation/list.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { nullable, strictObject } from '../../runtime/operation/schema.js'
import type { Db } from '../../runtime/store/db.js'
import { offeredPolicies } from '../policy/visible.js'
import { RuleFilters, ruleColumns, ruleMatches } from '../rule/list.js'
import { RuleRecord, ruleRecord } from '../rule/record.js'
import { lockOf } from '../subscription/gate.js'
import { subscriptionsTo } from '../subscription/record.js'
import { complianceTables, type RuleRow } from '../tables.js'

const CatalogueRule = strictObject({
  ...RuleRecord.properties,
  subscribed: Type.Boolean(),
  subscriptionActive: Type.Boolean({ description: 'The rule is enforced' }),
  lockedBy: nullable(Type.String({ description: 'The feature that the plan lacks for the rule' })),
})

const Filters = Type.Object(RuleFilters)

const catalogue = listOf({
  key: 'rules',
  item: CatalogueRule,
  sortBy: ['priority', 'name', 'severity', 'createdAt', 'updatedAt'],
  filters: Filters.properties,
})

interface Listed {
  readonly rule: RuleRow
  readonly isActive: boolean | null
  readonly policyIds: readonly string[]
}

export const listPublishedRules = query({
  name: 'compliance.published-rule.list',
  summary: 'List the published rules, with what the organization has subscribed to',
  http: { method: 'get', path: '/compliance/published-rules' },
  access: permission('compliance:read'),
  tenant: fromHeader,
  snapshot: true,
  input: { query: catalogue.query },
  output: catalogue.output,
  errors: ['VALIDATION_ERROR'],
  async run({ db, ...context }, { query: asked }) {
    const wanted: Static<typeof Filters> & PageQuery = asked
    const orgId = tenantId(context)
    const { rules: t } = complianceTables(db)
    const where = and(
      eq(t.orgId, SYSTEM_ORG_ID),
      eq(t.scope, 'published'),
      eq(t.isActive, true),
      isNull(t.deletedAtMs),
      ruleMatches(db, t, wanted),
    )
    const columns = ruleColumns(t)
    return catalogue.rows<Listed, Static<typeof CatalogueRule>>({
      columns,
      id: t.id,
      query: asked,
      async fetch({ after, orderBy: [by, id], limit, offset }) {
        const page = await db
          .select()
          .from(t)
          .where(and(where, after))
          // Rules of equal priority are sorted by name, as people look for them.
          .orderBy(
            ...[by, ...((wanted.sortBy ?? 'priority') === 'priority' ? [asc(t.nameKey)] : []), id].flatMap(
              (each) => each ?? [],
            ),
          )
          .limit(limit)
          .offset(offset)
        // Not a join: the database would look up a subscription for every rule that the offset skips.
        const ids = page.map((rule) => rule.id)
        const active = await liveSubscriptions(db, orgId, ids)
        const policies = await offeredPolicies(db, orgId, ids)
        return page.map((rule) => ({
          rule,
          isActive: active.get(rule.id) ?? null,
          policyIds: policies.get(rule.id) ?? [],
        }))
      },
      count: (atMost) => countRows(db, t, where, atMost),
      place: ({ rule }, sortBy) => ({
        value: sortBy === 'updatedAt' ? rule.updatedAtMs : rule.createdAtMs,
        id: rule.id,
      }),
      present: ({ rule, isActive, policyIds }) =>
        Object.assign(ruleRecord(rule, orgId, policyIds), {
          subscribed: isActive !== null,
          subscriptionActive: isActive === true,
          lockedBy: lockOf(context, rule),
        }),
    })
  },
})

/** The organization's subscriptions to these rules, by rule id, and whether each is active. */
async function liveSubscriptions(
  db: Db,
  orgId: string,
  ruleIds: readonly string[],
): Promise<ReadonlyMap<string, boolean>> {
  if (ruleIds.length === 0) return new Map()
  const rows = await subscriptionsTo(db, orgId, ruleIds)
  return new Map(
    // guard: a-subscription-that-ended-is-none-in-the-catalogue
    rows.flatMap(({ ruleId, isActive, unsubscribedAtMs }) => (unsubscribedAtMs === null ? [[ruleId, isActive]] : [])),
  )
}
