/** Export the findings of a scan. */
import Type from 'typebox'
import { Refusal } from '../../runtime/errors.js'
import { permission } from '../../runtime/operation/access.js'
import { tenantId } from '../../runtime/operation/context.js'
import { fromHeader, stream } from '../../runtime/operation/operation.js'
import { Uuid } from '../../runtime/operation/schema.js'
import { findScan } from '../scan/find.js'
import { download, format, PAGE, pieces } from './download.js'

export const exportScanFindings = stream({
  name: 'compliance.finding.export-scan',
  summary: 'Export the findings of a scan',
  description:
    'Findings that exemptions cover are included and marked. For a scan that is still running, or was cancelled, the findings so far; SARIF reports this in `executionSuccessful`.',
  http: { method: 'get', path: '/compliance/scans/:id/findings' },
  // guard: findings-of-a-scan-need-a-permission
  access: permission('compliance:read'),
  tenant: fromHeader,
  input: { path: Type.Object({ id: Uuid }), query: Type.Object({ format }) },
  output: Type.String(),
  download,
  errors: ['NOT_FOUND', 'CONFLICT', 'VALIDATION_ERROR'],
  async open(context, { path, query }) {
    const orgId = tenantId(context)
    const { status, dryRun } = await context.read((db) => findScan(db, orgId, path.id))
    // guard: what-a-dry-run-did-not-keep-is-not-exported-as-nothing
    if (dryRun) throw new Refusal('CONFLICT', 'a dry run stores only counts: start the scan without `dryRun`')
    return pieces(context, { orgId, scanId: path.id, rows: PAGE }, query.format, status === 'completed')
  },
})
