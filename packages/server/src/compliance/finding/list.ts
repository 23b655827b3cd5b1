/**
 * `GET /compliance/findings`: what is wrong with the records of the organization, per rule and record, as of the last
 * check of each.
 */
import { and, count } from 'drizzle-orm'
import { permission } from '../../runtime/operation/access.js'
import { listOf, type PageQuery } from '../../runtime/operation/list.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { rowsAtOnce } from '../../runtime/store/prepared.js'
import { heldOf } from '../held.js'
import { complianceTables } from '../tables.js'
import { FindingFilters, FindingRecord, findingRecord, findingsWanted, type StatedFinding, stateOf } from './state.js'

const list = listOf({
  key: 'findings',
  item: FindingRecord,
  sortBy: ['updatedAt', 'createdAt', 'severity', 'ruleName', 'entityName'],
  filters: FindingFilters.properties,
})

export const listFindings = query({
  name: 'compliance.finding.list',
  summary: "List the findings of the organization's records",
  description:
    'One finding for each rule and record, as of the last scan or re-check of the record. `open`: it counts; `requested`: an exemption was requested; `exempted`: an exemption is in force; `fixed`: the record passes the rule now, the rule no longer applies to it, or the record was deleted. Checks that blocked a record before it was stored are in the check log. `createdAt` sorts by the time when the finding was first seen, `updatedAt` by the last.',
  http: { method: 'get', path: '/compliance/findings' },
  access: permission('compliance:read'),
  tenant: fromHeader,
  snapshot: true,
  input: { query: list.query },
  output: list.output,
  errors: ['VALIDATION_ERROR'],
  async run({ db, nowMs, ...context }, { query: asked }) {
    const wanted: FindingFilters & PageQuery = asked
    const held = heldOf(context)
    const { findings: t } = complianceTables(db)
    const { state, exemptionId } = await stateOf(db, { ...held, nowMs })
    const where = findingsWanted(db, held, wanted, state)
    return list.rows<StatedFinding, ReturnType<typeof findingRecord>>({
      columns: {
        updatedAt: t.lastSeenAtMs,
        createdAt: t.firstSeenAtMs,
        severity: t.severityRank,
        ruleName: t.ruleNameKey,
        entityName: t.entityNameKey,
      },
      id: t.id,
      query: asked,
      present: findingRecord,
      place: ({ row }, by) => ({ value: by === 'createdAt' ? row.firstSeenAtMs : row.lastSeenAtMs, id: row.id }),
      fetch: ({ orderBy, after, limit, offset }) =>
        rowsAtOnce(
          db,
          db
            .select({ row: t, state, exemptionId })
            .from(t)
            .where(and(where, after))
            .orderBy(...orderBy)
            .limit(limit)
            .offset(offset),
        ) as Promise<StatedFinding[]>,
      async count(atMost) {
        const [row] = await rowsAtOnce(db, db.select({ rows: count() }).from(t).where(where))
        return Math.min(Number(row?.rows ?? 0), atMost)
      },
    })
  },
})
