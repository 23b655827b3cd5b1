/** Export the findings of checks. */
import Type from 'typebox'
import { permission } from '../../runtime/operation/access.js'
import { tenantId } from '../../runtime/operation/context.js'
import { fromHeader, stream } from '../../runtime/operation/operation.js'
import { CheckFilters, checksWanted } from '../check/filters.js'
import { download, format, PAGE, pieces } from './download.js'

export const exportCheckFindings = stream({
  name: 'compliance.finding.export-check',
  summary: 'Export the findings of checks',
  description: 'The oldest first, each as often as it was found; the filters are those of the check log.',
  http: { method: 'get', path: '/compliance/audit/findings' },
  // guard: findings-of-checks-need-a-permission
  access: permission('compliance:read'),
  tenant: fromHeader,
  input: { query: Type.Object({ ...CheckFilters.properties, format }) },
  output: Type.String(),
  download,
  errors: ['VALIDATION_ERROR'],
  async open(context, { query: { format, ...wanted } }) {
    const { scanId } = wanted
    const where = checksWanted(wanted)
    const pages = { orgId: tenantId(context), rows: PAGE, where, ...(scanId === undefined ? {} : { scanId }) }
    return pieces(context, pages, format, true)
  },
})
