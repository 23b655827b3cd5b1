/** Show a scan with its counts. */
import Type from 'typebox'
import { permission } from '../../runtime/operation/access.js'
import { tenantId } from '../../runtime/operation/context.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { findScan } from './find.js'
import { ScanRecord, scanRecord } from './record.js'

export const getScan = query({
  name: 'compliance.scan.get',
  summary: 'Show a scan with its counts',
  http: { method: 'get', path: '/compliance/scans/:id' },
  access: permission('compliance:read'),
  tenant: fromHeader,
  input: { path: Type.Object({ id: Uuid }) },
  output: strictObject({ scan: ScanRecord }),
  errors: ['NOT_FOUND'],
  run: async (context, { path }) => ({ scan: scanRecord(await findScan(context.db, tenantId(context), path.id)) }),
})
