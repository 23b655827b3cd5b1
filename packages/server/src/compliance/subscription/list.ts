/** Lists the organization's subscriptions. */
import { and, eq, isNotNull, isNull } from 'drizzle-orm'
import Type, { type Static } from 'typebox'
import { permission } from '../../runtime/operation/access.js'
import { tenantId } from '../../runtime/operation/context.js'
import { equals } from '../../runtime/operation/filters.js'
import { listOf, type PageQuery } from '../../runtime/operation/list.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { Target } from '../rule/schema.js'
import { pinnedBodies } from '../rule-set/pinned.js'
import { complianceTables } from '../tables.js'
import { SubscriptionWithRule, withRule } from './record.js'

const SubscriptionFilters = Type.Object({
  isActive: Type.Optional(Type.Boolean()),
  target: Type.Optional(Target),
  isPinned: Type.Optional(Type.Boolean()),
})

const subscriptionList = listOf({
  key: 'subscriptions',
  item: SubscriptionWithRule,
  sortBy: ['subscribedAt', 'createdAt'],
  filters: SubscriptionFilters.properties,
})

export const listSubscriptions = query({
  name: 'compliance.subscription.list',
  summary: 'List the subscriptions of the organization, with their rules',
  http: { method: 'get', path: '/compliance/subscriptions' },
  access: permission('compliance:read'),
  tenant: fromHeader,
  snapshot: true,
  input: { query: subscriptionList.query },
  output: subscriptionList.output,
  errors: ['VALIDATION_ERROR'],
  async run({ db, ...context }, { query: asked }) {
    const wanted: Static<typeof SubscriptionFilters> & PageQuery = asked
    const orgId = tenantId(context)
    const { rules: t, subscriptions: s } = complianceTables(db)
    const where = and(
      eq(s.orgId, orgId),
      isNull(s.unsubscribedAtMs),
      equals(s.isActive, wanted.isActive),
      wanted.isPinned === undefined
        ? undefined
        : wanted.isPinned
          ? isNotNull(s.pinnedVersion)
          : isNull(s.pinnedVersion),
      equals(t.target, wanted.target),
    )
    const isTo = and(eq(t.id, s.ruleId), eq(t.scope, 'published'))
    return subscriptionList.rows({
      // A subscription is created when the organization subscribes.
      columns: { subscribedAt: s.subscribedAtMs, createdAt: s.subscribedAtMs },
      id: s.id,
      query: asked,
      async fetch({ after, orderBy, limit, offset }) {
        const rows = await db
          .select({ subscription: s, rule: t })
          .from(s)
          .innerJoin(t, isTo)
          .where(and(where, after))
          .orderBy(...orderBy)
          .limit(limit)
          .offset(offset)
        const bodies = await pinnedBodies(
          db,
          rows.map(({ subscription }) => subscription),
        )
        return rows.map(({ subscription, rule }) => ({ subscription, rule, pinned: bodies.get(rule.id) }))
      },
      count: async (atMost) => {
        const found = await db.select({ id: s.id }).from(s).innerJoin(t, isTo).where(where).limit(atMost)
        return found.length
      },
      place: ({ subscription }) => ({ value: subscription.subscribedAtMs, id: subscription.id }),
      present: ({ subscription, rule, pinned }) => withRule(subscription, rule, pinned),
    })
  },
})
