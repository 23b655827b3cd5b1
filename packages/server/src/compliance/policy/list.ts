/** List the policies of the organization, and those that every organization can copy. */
import { and, eq } from 'drizzle-orm'
import Type, { type Static } from 'typebox'
import { permission } from '../../runtime/operation/access.js'
import { tenantId } from '../../runtime/operation/context.js'
import { containsName, equals } from '../../runtime/operation/filters.js'
import { listOf, type PageQuery } from '../../runtime/operation/list.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { hasWord } from '../rule/list.js'
import { complianceTables } from '../tables.js'
import { PolicyRecord } from './record.js'
import { policyRows } from './rows.js'
import { isVisible } from './visible.js'

const Filters = Type.Object({
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 255, description: 'Part of the name, ignoring case' })),
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

export const listPolicies = query({
  name: 'compliance.policy.list',
  summary: 'List the policies of the organization, and the templates that it can copy',
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
      wanted.name === undefined ? undefined : containsName(t.nameKey, wanted.name),
      hasWord(db, t.tagText, wanted.tag),
      isActive === 'all' ? undefined : eq(t.isActive, isActive === 'true'),
      equals(t.isTemplate, wanted.isTemplate),
      equals(t.isPublished, wanted.isPublished),
    )
    return list.rows(policyRows(db, orgId, where, asked))
  },
})
