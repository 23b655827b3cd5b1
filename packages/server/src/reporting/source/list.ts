/** `GET /reports/sources` */
import Type from 'typebox'
import { permission } from '../../runtime/operation/access.js'
import { tenantId } from '../../runtime/operation/context.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { lastDeliveries, SourceRecord, sourceRecord, sourcesOf } from './record.js'

export const listSources = query({
  name: 'reporting.source.list',
  summary: 'List the forges and engines that send runs',
  http: { method: 'get', path: '/reports/sources' },
  access: permission('org:settings'),
  tenant: fromHeader,
  input: {},
  output: strictObject({ sources: Type.Array(SourceRecord) }),
  errors: [],
  async run(context) {
    const { db, runtime } = context
    const orgId = tenantId(context)
    const rows = await sourcesOf(db, orgId)
    const last = await lastDeliveries(
      db,
      orgId,
      rows.map(({ id }) => id),
    )
    return { sources: rows.map((row) => sourceRecord(runtime, row, last.get(row.id))) }
  },
})
