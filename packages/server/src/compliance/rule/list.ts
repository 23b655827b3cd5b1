/** `GET /compliance/rules` and `GET /compliance/rules/deleted` (spec compliance 16). */
import { and, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import Type, { type Static } from 'typebox'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import { permission } from '../../runtime/operation/access.js'
import { tenantId } from '../../runtime/operation/context.js'
import { containsName, equals } from '../../runtime/operation/filters.js'
import { listOf, type PageQuery } from '../../runtime/operation/list.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { Uuid } from '../../runtime/operation/schema.js'
import type { Db } from '../../runtime/store/db.js'
import { memberships, policyIdsByRule } from '../membership/rows.js'
import { complianceTables } from '../tables.js'
import { RuleRecord, ruleRecord } from './record.js'
import { SCOPES, Severity, Target, wordInText } from './schema.js'

export const RuleFilters = {
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 255, description: 'Part of the name, ignoring case' })),
  target: Type.Optional(Target),
  severity: Type.Optional(Severity),
  tag: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'Exactly this tag' })),
}

const Filters = Type.Object({
  ...RuleFilters,
  scope: Type.Optional(
    Type.Enum([...SCOPES], { description: '`published` lists the catalogue of the system organization' }),
  ),
  isActive: Type.Optional(Type.Enum(['true', 'false', 'all'], { default: 'true' })),
  isTemplate: Type.Optional(Type.Boolean()),
  policyId: Type.Optional(Uuid),
})

type Filters = Static<typeof Filters>

const list = listOf({
  key: 'rules',
  item: RuleRecord,
  sortBy: ['createdAt', 'updatedAt', 'name', 'priority', 'severity'],
  filters: Filters.properties,
})

type RuleTable = ReturnType<typeof complianceTables>['rules']

export const ruleColumns = (t: RuleTable) => ({
  createdAt: t.createdAtMs,
  updatedAt: t.updatedAtMs,
  name: t.nameKey,
  priority: t.priority,
  severity: t.severityRank,
})

/** Rows with exactly this word in a text of words, case-sensitive. */
export function hasWord(db: Pick<Db, 'database'>, column: SQLiteColumn, word: string | undefined): SQL | undefined {
  return word === undefined ? undefined : holds(db, column, wordInText(word))
}

/** Rows with exactly this text somewhere in the column. */
export function holds(db: Pick<Db, 'database'>, column: SQLiteColumn, wanted: string): SQL {
  return db.database === 'pg' ? sql`strpos(${column}, ${wanted}) > 0` : sql`instr(${column}, ${wanted}) > 0`
}

interface Wanted {
  readonly name?: string
  readonly target?: string
  readonly severity?: string
  readonly tag?: string
}

export const ruleMatches = (db: Pick<Db, 'database'>, t: RuleTable, wanted: Wanted): SQL | undefined =>
  and(
    wanted.name === undefined ? undefined : containsName(t.nameKey, wanted.name),
    equals(t.target, wanted.target),
    equals(t.severity, wanted.severity),
    hasWord(db, t.tagText, wanted.tag),
  )

export const listRules = query({
  name: 'compliance.rule.list',
  summary: 'List the rules of the organization, or the published ones',
  http: { method: 'get', path: '/compliance/rules' },
  access: permission('compliance:read'),
  tenant: fromHeader,
  snapshot: true,
  input: { query: list.query },
  output: list.output,
  errors: ['VALIDATION_ERROR'],
  async run(context, { query: asked }) {
    const wanted: Filters & PageQuery = asked
    const { db } = context
    const orgId = tenantId(context)
    const { rules: t } = complianceTables(db)
    const isActive = wanted.isActive ?? 'true'
    // guard: the-list-of-own-rules
    const whose =
      wanted.scope === 'published'
        ? and(eq(t.orgId, SYSTEM_ORG_ID), eq(t.scope, 'published'))
        : and(eq(t.orgId, orgId), equals(t.scope, wanted.scope))
    const policyIds = policyIdsByRule(await memberships(db, orgId))
    const { policyRules: p } = complianceTables(db)
    return list.page(db, {
      table: t,
      where: and(
        whose,
        wanted.policyId === undefined
          ? undefined
          : inArray(
              t.id,
              db
                .select({ id: p.ruleId })
                .from(p)
                .where(and(eq(p.orgId, orgId), eq(p.policyId, wanted.policyId))),
            ),
        isNull(t.deletedAtMs),
        isActive === 'all' ? undefined : eq(t.isActive, isActive === 'true'),
        equals(t.isTemplate, wanted.isTemplate),
        ruleMatches(db, t, wanted),
      ),
      columns: ruleColumns(t),
      id: t.id,
      query: wanted,
      present: (row) => ruleRecord(row, orgId, policyIds.get(row.id)),
    })
  },
})
