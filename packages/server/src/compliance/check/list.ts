/** `GET /compliance/audit`: the check log (spec compliance 15). */
import { and, eq } from 'drizzle-orm'
import Type, { type Static } from 'typebox'
import { toIso } from '../../runtime/clock.js'
import { permission } from '../../runtime/operation/access.js'
import { tenantId } from '../../runtime/operation/context.js'
import { listOf, type PageQuery } from '../../runtime/operation/list.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { Instant, nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'
import { Target } from '../rule/schema.js'
import { type CheckRow, complianceTables } from '../tables.js'
import { CheckActions, CheckFilters, CheckResults, checksWanted } from './filters.js'
import { ExemptedRecords, UnresolvedRecords, ViolationRecord } from './verdict.js'
import { walkChecks } from './walk.js'

export const CheckRecord = strictObject({
  id: Uuid,
  orgId: Uuid,
  userId: nullable(Type.String({ description: 'Who requested it; null for the server itself' })),
  target: Target,
  action: CheckActions,
  entityId: nullable(Type.String()),
  entityName: nullable(Type.String()),
  result: CheckResults,
  violations: Type.Array(ViolationRecord),
  observed: Type.Array(ViolationRecord),
  exempted: Type.Optional(ExemptedRecords),
  unresolved: Type.Optional(UnresolvedRecords),
  ruleCount: Type.Integer({ minimum: 0 }),
  rulesSkipped: Type.Integer({ minimum: 0 }),
  exemptionsApplied: Type.Array(Type.String()),
  attributesHash: Type.String({ description: 'SHA-256 over the JSON text of the attributes' }),
  scanId: nullable(Type.String()),
  createdAt: Instant,
})

export const checkRecord = ({
  ruleText: _text,
  eventId: _event,
  exempted,
  unresolved,
  createdAtMs,
  ...row
}: CheckRow) =>
  ({
    ...row,
    ...(exempted === null ? {} : { exempted }),
    ...(unresolved === null ? {} : { unresolved }),
    createdAt: toIso(createdAtMs),
  }) as unknown as Static<typeof CheckRecord>

const list = listOf({ key: 'entries', item: CheckRecord, sortBy: ['createdAt'], filters: CheckFilters.properties })

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
    const wanted: CheckFilters & PageQuery = asked
    const { checks: t } = complianceTables(db)
    const { dateFrom, dateTo, entityId, entity, ...others } = wanted
    const named = { ...(entityId === undefined ? {} : { entityId }), ...(entity === undefined ? {} : { entity }) }
    const times = { ...(dateFrom === undefined ? {} : { dateFrom }), ...(dateTo === undefined ? {} : { dateTo }) }
    // The checks of one record have their own index, ordered by time.
    // guard: the-check-log-of-the-own-organization
    const within = and(eq(t.orgId, tenantId(context)), checksWanted({ ...named, ...times })(db))
    return list.rows(walkChecks(db, { within, filter: checksWanted(others)(db), query: wanted, present: checkRecord }))
  },
})
