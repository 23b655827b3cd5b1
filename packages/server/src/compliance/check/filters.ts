/** The filters of the check log (spec compliance 15). */
import { and, type SQL } from 'drizzle-orm'
import Type, { type Static } from 'typebox'
import { UUID } from '../../runtime/ids.js'
import { containsText, equals, within } from '../../runtime/operation/filters.js'
import { Begin, End, periodOf } from '../../runtime/operation/period.js'
import { Uuid } from '../../runtime/operation/schema.js'
import type { Db } from '../../runtime/store/db.js'
import { hasWord, holds } from '../rule/list.js'
import { Target } from '../rule/schema.js'
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
      equals(t.userId, wanted.userId),
      within(t.createdAtMs, from, to),
    )
  }
}
