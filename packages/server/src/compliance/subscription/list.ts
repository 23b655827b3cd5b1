/** The published catalogue, the organization's subscriptions, and everything that it is held to. */
import { and, asc, eq, isNotNull, isNull } from 'drizzle-orm'
import Type, { type Static } from 'typebox'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import { permission } from '../../runtime/operation/access.js'
import { tenantId } from '../../runtime/operation/context.js'
import { equals } from '../../runtime/operation/filters.js'
import { countRows, listOf, type PageQuery } from '../../runtime/operation/list.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import type { Db } from '../../runtime/store/db.js'
import { heldOf } from '../held.js'
import { AsOf, instantAskedFor } from '../past/as-of.js'
import { loadRulesAt } from '../past/load.js'
import { checkToldAt } from '../past/start.js'
import { offeredPolicies } from '../policy/read.js'
import { RuleFilters, ruleColumns, ruleMatches } from '../rule/list.js'
import { RuleRecord, ruleRecord } from '../rule/record.js'
import { Modes, TARGETS, Target } from '../rule/schema.js'
import { loadRules } from '../rule-set/load.js'
import { complianceTables, type RuleRow } from '../tables.js'
import { pinnedBodies, SubscriptionWithRule, subscriptionsTo, withRule } from './record.js'

const CatalogueRule = strictObject({
  ...RuleRecord.properties,
  subscribed: Type.Boolean(),
  subscriptionActive: Type.Boolean({ description: 'The rule is enforced' }),
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
          // Of one priority by name, as people look for them.
          .orderBy(
            ...[by, ...((wanted.sortBy ?? 'priority') === 'priority' ? [asc(t.name)] : []), id].flatMap(
              (each) => each ?? [],
            ),
          )
          .limit(limit)
          .offset(offset)
        // Not joined: the database would look for one beside every rule that the offset skips.
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
        }),
    })
  },
})

/** Whether the organization's subscriptions to these rules are switched on, by the id of the rule. */
async function liveSubscriptions(
  db: Db,
  orgId: string,
  ruleIds: readonly string[],
): Promise<ReadonlyMap<string, boolean>> {
  if (ruleIds.length === 0) return new Map()
  const rows = await subscriptionsTo(db, orgId, ruleIds)
  return new Map(
    rows.flatMap(({ ruleId, isActive, unsubscribedAtMs }) => (unsubscribedAtMs === null ? [[ruleId, isActive]] : [])),
  )
}

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
      // A subscription comes into being when the organization subscribes.
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

const EnforcedRule = strictObject({
  id: Type.String(),
  name: Type.String(),
  description: Type.Union([Type.String(), Type.Null()]),
  target: Target,
  severity: Type.String(),
  priority: Type.Integer(),
  tags: Type.Array(Type.String()),
  policyIds: Type.Array(Type.String()),
  source: Type.Enum(['own', 'inherited', 'subscribed']),
  mode: Modes,
  pinned: Type.Boolean(),
  version: Type.Integer(),
})

export const listEnforced = query({
  name: 'compliance.subscription.list-enforced',
  summary: 'List every rule that the organization is held to, now or at an instant of the past',
  description: 'Own rules, those of the parent, active subscriptions. Dates of effect are left to each check.',
  http: { method: 'get', path: '/compliance/subscriptions/enforced' },
  access: permission('compliance:read'),
  tenant: fromHeader,
  snapshot: true,
  input: { query: Type.Object({ target: Type.Optional(Target), asOf: AsOf }) },
  output: strictObject({ rules: Type.Array(EnforcedRule), total: Type.Integer() }),
  errors: ['CONFLICT', 'VALIDATION_ERROR'],
  async run(context, { query: { target, asOf } }) {
    const { db } = context
    const held = heldOf(context)
    const atMs = instantAskedFor(context, asOf, '/query/asOf')
    const rules: Static<typeof EnforcedRule>[] = []
    for (const each of target === undefined ? TARGETS : [target]) {
      const {
        rules: merged,
        modes,
        pinned,
      } = atMs === null ? await loadRules(db, held, each) : await loadRulesAt(db, held, each, atMs)
      for (const rule of merged) {
        const id = rule.id ?? rule.name
        rules.push({
          id,
          name: rule.name,
          description: rule.description ?? null,
          target: rule.target,
          severity: rule.severity ?? 'error',
          priority: rule.priority ?? 0,
          tags: [...(rule.tags ?? [])],
          policyIds: [...(rule.policyIds ?? [])],
          source: rule.source,
          mode: modes.get(id) ?? 'enforce',
          pinned: pinned.has(id),
          version: rule.version ?? 1,
        })
      }
    }
    if (atMs !== null) await checkToldAt(db, held, atMs)
    return { rules, total: rules.length }
  },
})
