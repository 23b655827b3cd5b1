/** The filters of the check log (spec compliance 15). */
import { and, type SQL, sql } from 'drizzle-orm'
import Type, { type Static } from 'typebox'
import { UUID } from '../../runtime/ids.js'
import { containsText, equals, within } from '../../runtime/operation/filters.js'
import { Begin, End, periodOf } from '../../runtime/operation/period.js'
import { Uuid } from '../../runtime/operation/schema.js'
import type { Db } from '../../runtime/store/db.js'
import { hasWord, holds } from '../rule/list.js'
import { SEVERITIES, Target } from '../rule/schema.js'
import { complianceTables } from '../tables.js'
import { CHECK_ACTIONS } from './record.js'
import { CHECK_RESULTS } from './verdict.js'

export const CheckResults = Type.Enum([...CHECK_RESULTS])
export const CheckActions = Type.Enum([...CHECK_ACTIONS])

export const CheckFilters = Type.Object({
  target: Type.Optional(Target),
  result: Type.Optional(CheckResults),
  action: Type.Optional(CheckActions),
  entityId: Type.Optional(Uuid),
  entity: Type.Optional(Type.String({ description: 'Another name of `entityId`', pattern: UUID.source })),
  entityName: Type.Optional(Type.String({ minLength: 1, maxLength: 255, description: 'Part of the name' })),
  scanId: Type.Optional(Uuid),
  ruleId: Type.Optional({ ...Uuid, description: 'Of a rule that it violated, observed or waived' }),
  violatedRuleId: Type.Optional({
    ...Uuid,
    description: 'Of a rule that it violated, and neither observed nor waived',
  }),
  severity: Type.Optional(
    Type.Enum([...SEVERITIES, 'any'], {
      description:
        'Of a rule that it violated, and neither observed nor waived. `any` finds each check with a violation',
    }),
  ),
  userId: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  dateFrom: Type.Optional(Begin),
  dateTo: Type.Optional(End),
})
export type CheckFilters = Static<typeof CheckFilters>

/** @throws Refusal 400 for a period that ends before it begins. */
export function checksWanted(wanted: CheckFilters): (db: Db) => SQL | undefined {
  const { from, to } = periodOf(wanted, 'dateFrom', 'dateTo')
  const entityId = wanted.entityId ?? wanted.entity
  return (db) => {
    const { checks: t } = complianceTables(db)
    return and(
      equals(t.target, wanted.target),
      equals(t.result, wanted.result),
      equals(t.action, wanted.action),
      equals(t.entityId, entityId),
      wanted.entityName === undefined ? undefined : containsText(t.entityName, wanted.entityName),
      equals(t.scanId, wanted.scanId),
      hasWord(db, t.ruleText, wanted.ruleId ?? wanted.violatedRuleId),
      wanted.violatedRuleId === undefined
        ? undefined
        : // JSON text, without spaces between its parts.
          holds(db, t.violations, `"ruleId":${JSON.stringify(wanted.violatedRuleId)}`),
      wanted.severity === undefined ? undefined : hasSeverity(db, wanted.severity),
      equals(t.userId, wanted.userId),
      within(t.createdAtMs, from, to),
    )
  }
}

/** Whether one of the violations has the severity. Values of attributes inside of them can have a member of this name. */
function hasSeverity(db: Db, severity: string): SQL | undefined {
  const { checks: t } = complianceTables(db)
  if (severity === 'any') return sql`${t.violations} <> '[]'`
  const member = `"severity":${JSON.stringify(severity)}`
  const exactly =
    db.database === 'pg'
      ? // jsonb does not take every escape, such as half of a surrogate pair: there the member is enough.
        sql`CASE WHEN strpos(${t.violations}, ${'\\u'}) > 0 THEN true ELSE ${t.violations}::jsonb @> ${`[{${member}}]`}::jsonb END`
      : sql`EXISTS (SELECT 1 FROM json_each(${t.violations}) WHERE json_extract(value, '$.severity') = ${severity})`
  // Most rows are told apart without reading their JSON.
  return and(holds(db, t.violations, member), exactly)
}
