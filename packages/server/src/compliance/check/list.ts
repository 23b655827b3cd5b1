/** `GET /compliance/audit`: the check log (compliance decisions 15). */
import { and, eq, gte, lte } from 'drizzle-orm'
import Type, { type Static } from 'typebox'
import { toIso } from '../../runtime/clock.js'
import { invalidField } from '../../runtime/errors.js'
import { UUID } from '../../runtime/ids.js'
import { permission } from '../../runtime/operation/access.js'
import { tenantId } from '../../runtime/operation/context.js'
import { containsText } from '../../runtime/operation/filters.js'
import { listOf, type PageQuery } from '../../runtime/operation/list.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { Instant, nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'
import { hasWord } from '../rule/list.js'
import { Target } from '../rule/schema.js'
import { type CheckRow, complianceTables } from '../tables.js'
import { CHECK_ACTIONS } from './record.js'
import { CHECK_RESULTS, ViolationRecord } from './verdict.js'

const Result = Type.Enum([...CHECK_RESULTS])
const Action = Type.Enum([...CHECK_ACTIONS])

export const CheckRecord = strictObject({
  id: Uuid,
  orgId: Uuid,
  userId: nullable(Type.String({ description: 'Who asked; null for the server itself' })),
  target: Target,
  action: Action,
  entityId: nullable(Type.String()),
  entityName: nullable(Type.String()),
  result: Result,
  violations: Type.Array(ViolationRecord),
  observed: Type.Array(ViolationRecord),
  ruleCount: Type.Integer({ minimum: 0 }),
  rulesSkipped: Type.Integer({ minimum: 0 }),
  exemptionsApplied: Type.Array(Type.String()),
  attributesHash: Type.String({ description: 'SHA-256 over the JSON text of the attributes' }),
  scanId: nullable(Type.String()),
  createdAt: Instant,
})

export const checkRecord = ({ ruleText: _text, eventId: _event, createdAtMs, ...row }: CheckRow) =>
  ({ ...row, createdAt: toIso(createdAtMs) }) as unknown as Static<typeof CheckRecord>

const Filters = Type.Object({
  target: Type.Optional(Target),
  result: Type.Optional(Result),
  action: Type.Optional(Action),
  entityId: Type.Optional(Uuid),
  entity: Type.Optional(Type.String({ description: 'Another name of `entityId`', pattern: UUID.source })),
  entityName: Type.Optional(Type.String({ minLength: 1, maxLength: 255, description: 'A part of the name' })),
  scanId: Type.Optional(Uuid),
  ruleId: Type.Optional(Uuid),
  userId: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  dateFrom: Type.Optional(Instant),
  dateTo: Type.Optional(Instant),
})
type Filters = Static<typeof Filters>

const list = listOf({ key: 'entries', item: CheckRecord, sortBy: ['createdAt'], filters: Filters.properties })

export const listChecks = query({
  name: 'compliance.check.list',
  summary: 'List the checks of the organization, the newest first',
  http: { method: 'get', path: '/compliance/audit' },
  access: permission('compliance:read'),
  tenant: fromHeader,
  snapshot: true,
  input: { query: list.query },
  output: list.output,
  errors: ['VALIDATION_ERROR'],
  async run({ db, ...context }, { query: asked }) {
    const wanted: Filters & PageQuery = asked
    const { checks: t } = complianceTables(db)
    const from = wanted.dateFrom === undefined ? undefined : Date.parse(wanted.dateFrom)
    const to = wanted.dateTo === undefined ? undefined : Date.parse(wanted.dateTo)
    if (from !== undefined && to !== undefined && from > to) {
      throw invalidField('/query/dateTo', 'is before `dateFrom`', 'date_order')
    }
    const entityId = wanted.entityId ?? wanted.entity
    const where = and(
      eq(t.orgId, tenantId(context)),
      wanted.target === undefined ? undefined : eq(t.target, wanted.target),
      wanted.result === undefined ? undefined : eq(t.result, wanted.result),
      wanted.action === undefined ? undefined : eq(t.action, wanted.action),
      entityId === undefined ? undefined : eq(t.entityId, entityId),
      wanted.entityName === undefined ? undefined : containsText(t.entityName, wanted.entityName),
      wanted.scanId === undefined ? undefined : eq(t.scanId, wanted.scanId),
      hasWord(db, t.ruleText, wanted.ruleId),
      wanted.userId === undefined ? undefined : eq(t.userId, wanted.userId),
      from === undefined ? undefined : gte(t.createdAtMs, from),
      to === undefined ? undefined : lte(t.createdAtMs, to),
    )
    return list.page(db, {
      table: t,
      where,
      columns: { createdAt: t.createdAtMs },
      id: t.id,
      query: wanted,
      present: checkRecord,
    })
  },
})
