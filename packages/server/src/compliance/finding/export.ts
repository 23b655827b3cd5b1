/**
 * `GET /compliance/scans/:id/findings` and `GET /compliance/audit/findings`: what was found, as a file (ADR 0079). Page-wise
 * it is read from the check log itself.
 */
import Type from 'typebox'
import { Refusal } from '../../runtime/errors.js'
import { permission } from '../../runtime/operation/access.js'
import { type StreamContext, tenantId } from '../../runtime/operation/context.js'
import { fromHeader, type StreamEvent, stream } from '../../runtime/operation/operation.js'
import { Uuid } from '../../runtime/operation/schema.js'
import { CheckFilters, checksWanted } from '../check/filters.js'
import { type CheckPages, checkPages } from '../check/pages.js'
import { findScan } from '../scan/find.js'
import { findingsOf } from './finding.js'
import { FINDING_DOWNLOADS, FINDING_FORMATS, type FindingFormat, findingWriter } from './forms.js'

/** Rows of the check log that are read at a time. */
const PAGE = 200
/** Text that is handed on at once. */
const PIECE = 64 * 1024

const format = Type.Optional(
  Type.Enum([...FINDING_FORMATS], { default: 'jsonl', description: 'A finding a line, a spreadsheet, or SARIF 2.1.0' }),
)
const download = {
  forms: Object.values(FINDING_DOWNLOADS),
  choose: ({ query }: { readonly query: { readonly format?: FindingFormat } }) =>
    FINDING_DOWNLOADS[query.format ?? 'jsonl'],
}

export const exportScanFindings = stream({
  name: 'compliance.scan.findings',
  summary: 'Export what a scan found',
  description:
    'What exemptions cover is in it, marked. Of a scan that is under way, or was cancelled, what it has found so far; SARIF says so in `executionSuccessful`.',
  http: { method: 'get', path: '/compliance/scans/:id/findings' },
  access: permission('compliance:read'),
  tenant: fromHeader,
  input: { path: Type.Object({ id: Uuid }), query: Type.Object({ format }) },
  output: Type.String(),
  download,
  errors: ['NOT_FOUND', 'CONFLICT', 'VALIDATION_ERROR'],
  async open(context, { path, query }) {
    const orgId = tenantId(context)
    const { status, dryRun } = await context.read((db) => findScan(db, orgId, path.id))
    if (dryRun) throw new Refusal('CONFLICT', 'a dry run leaves its counts alone: start the scan without `dryRun`')
    return pieces(context, { orgId, scanId: path.id, rows: PAGE }, query.format, status === 'completed')
  },
})

export const exportCheckFindings = stream({
  name: 'compliance.check.findings',
  summary: 'Export what checks found',
  description: 'The oldest first, each as often as it was found; the filters are those of the check log.',
  http: { method: 'get', path: '/compliance/audit/findings' },
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

async function* pieces(
  context: StreamContext,
  pages: CheckPages,
  format: FindingFormat = 'jsonl',
  isWhole = true,
): AsyncGenerator<StreamEvent<string>> {
  const writer = findingWriter(format)
  let text = writer.begin()
  for await (const rows of checkPages(context, pages)) {
    for (const row of rows) {
      for (const finding of findingsOf(row)) text += writer.finding(finding)
      if (text.length < PIECE) continue
      yield { event: 'piece', data: text }
      text = ''
    }
  }
  yield { event: 'piece', data: text + writer.end(isWhole) }
}
