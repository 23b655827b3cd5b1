/** List scans, the newest first. */
import { and, eq } from 'drizzle-orm'
import Type, { type Static } from 'typebox'
import { permission } from '../../runtime/operation/access.js'
import { tenantId } from '../../runtime/operation/context.js'
import { equals } from '../../runtime/operation/filters.js'
import { listOf, type PageQuery } from '../../runtime/operation/list.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { complianceTables } from '../tables.js'
import { SCAN_STATES, SCAN_TRIGGERS, ScanRecord, ScanTargets, scanRecord } from './record.js'

const Filters = Type.Object({
  target: Type.Optional(ScanTargets),
  status: Type.Optional(Type.Enum([...SCAN_STATES])),
  triggeredBy: Type.Optional(Type.Enum([...SCAN_TRIGGERS])),
})

const list = listOf({ key: 'scans', item: ScanRecord, sortBy: ['createdAt'], filters: Filters.properties })

export const listScans = query({
  name: 'compliance.scan.list',
  summary: 'List scans, the newest first',
  http: { method: 'get', path: '/compliance/scans' },
  access: permission('compliance:read'),
  tenant: fromHeader,
  snapshot: true,
  input: { query: list.query },
  output: list.output,
  errors: ['VALIDATION_ERROR'],
  async run({ db, ...context }, { query: asked }) {
    const wanted: Static<typeof Filters> & PageQuery = asked
    const { scans: t } = complianceTables(db)
    return list.page(db, {
      table: t,
      where: and(
        // guard: the-list-of-scans
        eq(t.orgId, tenantId(context)),
        equals(t.target, wanted.target),
        equals(t.status, wanted.status),
        equals(t.triggeredBy, wanted.triggeredBy),
      ),
      columns: { createdAt: t.createdAtMs },
      id: t.id,
      query: asked,
      present: scanRecord,
    })
  },
})
