/** Lists and reads policies: own ones, and those that the system organization offers: templates and the libraries that are sold. */
import { and, asc, eq, inArray, isNull, or } from 'drizzle-orm'
import Type, { type Static } from 'typebox'
import { notFound } from '../../runtime/errors.js'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import { permission } from '../../runtime/operation/access.js'
import { tenantId } from '../../runtime/operation/context.js'
import { containsText, equals } from '../../runtime/operation/filters.js'
import { countRows, listOf, type PageQuery } from '../../runtime/operation/list.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { deletedList } from '../../runtime/records/deleted-list.js'
import type { Db } from '../../runtime/store/db.js'
import { hasWord } from '../rule/list.js'
import { complianceTables, type PolicyRow } from '../tables.js'
import { type Member, membersOf, PolicyRecord, policyIdsByRule, policyRecord } from './record.js'

const Filters = Type.Object({
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 255, description: 'A part of the name, of either case' })),
  tag: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  isActive: Type.Optional(Type.Enum(['true', 'false', 'all'], { default: 'true' })),
  isTemplate: Type.Optional(Type.Boolean()),
  isPublished: Type.Optional(Type.Boolean({ description: 'Policies of the rule libraries that are sold' })),
})
const list = listOf({
  key: 'policies',
  item: PolicyRecord,
  sortBy: ['name', 'createdAt', 'updatedAt'],
  sortOrder: 'asc',
  filters: Filters.properties,
})

type PolicyTable = ReturnType<typeof complianceTables>['policies']

/** Live policies that the organization sees. */
const isVisible = (t: PolicyTable, orgId: string) =>
  and(
    isNull(t.deletedAtMs),
    or(eq(t.orgId, orgId), and(eq(t.orgId, SYSTEM_ORG_ID), or(eq(t.isTemplate, true), eq(t.isPublished, true)))),
  )

/** @throws Refusal 404 for a policy that the organization does not see. */
export async function findVisiblePolicy(db: Db, orgId: string, id: string): Promise<PolicyRow> {
  const { policies: t } = complianceTables(db)
  const [row] = await db
    .select()
    .from(t)
    .where(and(eq(t.id, id), isVisible(t, orgId)))
  if (row === undefined) throw notFound('Policy')
  return row
}

interface Grouped {
  readonly row: PolicyRow
  readonly rules: readonly Member[]
}

export const listPolicies = query({
  name: 'compliance.policy.list',
  summary: 'List the policies of the organization, and those that everybody can copy',
  http: { method: 'get', path: '/compliance/policies' },
  access: permission('compliance:read'),
  tenant: fromHeader,
  snapshot: true,
  input: { query: list.query },
  output: list.output,
  errors: ['VALIDATION_ERROR'],
  async run({ db, ...context }, { query: asked }) {
    const wanted: Static<typeof Filters> & PageQuery = asked
    const orgId = tenantId(context)
    const { policies: t } = complianceTables(db)
    const isActive = wanted.isActive ?? 'true'
    const where = and(
      isVisible(t, orgId),
      wanted.name === undefined ? undefined : containsText(t.name, wanted.name),
      hasWord(db, t.tagText, wanted.tag),
      isActive === 'all' ? undefined : eq(t.isActive, isActive === 'true'),
      equals(t.isTemplate, wanted.isTemplate),
      equals(t.isPublished, wanted.isPublished),
    )
    return list.rows<Grouped, Static<typeof PolicyRecord>>({
      columns: { name: t.name, createdAt: t.createdAtMs, updatedAt: t.updatedAtMs },
      id: t.id,
      query: asked,
      async fetch({ after, orderBy, limit, offset }) {
        const rows = await db
          .select()
          .from(t)
          .where(and(where, after))
          .orderBy(...orderBy)
          .limit(limit)
          .offset(offset)
        const members = await membersOf(
          db,
          rows.map(({ id }) => id),
        )
        return rows.map((row) => ({ row, rules: members.get(row.id) ?? [] }))
      },
      count: (atMost) => countRows(db, t, where, atMost),
      place: ({ row }, sortBy) => ({ value: sortBy === 'updatedAt' ? row.updatedAtMs : row.createdAtMs, id: row.id }),
      present: ({ row, rules }) => policyRecord(row, rules, orgId),
    })
  },
})

export const listDeletedPolicies = deletedList({
  name: 'compliance.policy.list-deleted',
  summary: 'List the deleted policies that can be restored',
  path: '/compliance/policies/deleted',
  permission: 'compliance:read',
  key: 'policies',
  item: PolicyRecord,
  sortBy: ['deletedAt', 'name', 'createdAt'],
  table: (db) => complianceTables(db).policies,
  columns: (t) => ({ deletedAt: t.updatedAtMs, name: t.name, createdAt: t.createdAtMs }),
  present: (row, orgId) => policyRecord(row, [], orgId),
})

export const getPolicy = query({
  name: 'compliance.policy.get',
  summary: 'Read a policy',
  http: { method: 'get', path: '/compliance/policies/:id' },
  access: permission('compliance:read'),
  tenant: fromHeader,
  input: { path: Type.Object({ id: Uuid }) },
  output: strictObject({ policy: PolicyRecord }),
  errors: ['NOT_FOUND'],
  async run({ db, ...context }, { path }) {
    const orgId = tenantId(context)
    const row = await findVisiblePolicy(db, orgId, path.id)
    return { policy: policyRecord(row, (await membersOf(db, [row.id])).get(row.id) ?? [], orgId) }
  },
})

/** The policies of the system organization that the organization sees, by the id of the rule that they list. */
export async function offeredPolicies(
  db: Db,
  orgId: string,
  ruleIds: readonly string[],
): Promise<ReadonlyMap<string, string[]>> {
  if (ruleIds.length === 0) return new Map()
  const { policies: t, policyRules: r } = complianceTables(db)
  const rows = await db
    .select({ policyId: t.id, ruleId: r.ruleId })
    .from(r)
    .innerJoin(t, and(eq(t.id, r.policyId), eq(t.orgId, r.orgId)))
    .where(and(eq(r.orgId, SYSTEM_ORG_ID), inArray(r.ruleId, [...ruleIds]), isVisible(t, orgId)))
    .orderBy(asc(t.id))
  return policyIdsByRule(rows)
}
