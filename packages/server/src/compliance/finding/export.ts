/** Export findings as they are listed: the same filters, the same states. */
import { and, asc, gt } from 'drizzle-orm'
import Type from 'typebox'
import { permission } from '../../runtime/operation/access.js'
import { type StreamContext, tenantId } from '../../runtime/operation/context.js'
import { fromHeader, type StreamEvent, stream } from '../../runtime/operation/operation.js'
import { complianceTables } from '../tables.js'
import { download, format, PAGE } from './download.js'
import { type Finding, fingerprintOf } from './finding.js'
import { type FindingFormat, findingWriter } from './forms.js'
import { FindingFilters, findingRecord, findingsWanted, type StatedFinding, stateOf } from './state.js'

export const exportFindings = stream({
  name: 'compliance.finding.export',
  summary: 'Export findings',
  description: 'The filters are those of the list; what an exemption covers is marked.',
  http: { method: 'get', path: '/compliance/findings/export' },
  access: permission('compliance:read'),
  tenant: fromHeader,
  input: { query: Type.Object({ ...FindingFilters.properties, format }) },
  output: Type.String(),
  download,
  errors: ['VALIDATION_ERROR'],
  async open(context, { query: { format, ...wanted } }) {
    return pieces(context, wanted, format)
  },
})

async function* pieces(
  context: StreamContext,
  wanted: FindingFilters,
  format: FindingFormat = 'jsonl',
): AsyncGenerator<StreamEvent<string>> {
  const writer = findingWriter(format)
  const orgId = tenantId(context)
  yield { event: 'piece', data: writer.begin() }
  for (let last = ''; ; ) {
    const page = await context.read(async (db) => {
      const { findings: t } = complianceTables(db)
      const { state, exemptionId } = await stateOf(db, { orgId, nowMs: context.nowMs })
      const where = and(findingsWanted(db, orgId, wanted, state), gt(t.id, last))
      return db.select({ row: t, state, exemptionId }).from(t).where(where).orderBy(asc(t.id)).limit(PAGE)
    })
    const text = page.map((stated) => writer.finding(exported(stated as StatedFinding))).join('')
    if (text !== '') yield { event: 'piece', data: text }
    const end = page.at(-1)
    if (end === undefined || page.length < PAGE) break
    last = end.row.id
  }
  yield { event: 'piece', data: writer.end(true) }
}

/** As the other exports write a finding, so that one file can stand beside the other. */
function exported(stated: StatedFinding): Finding {
  const {
    id: _,
    state,
    exemptionId,
    firstSeenAt: _f,
    since: _s,
    checkedAt: _c,
    fixedAt: _x,
    ...finding
  } = findingRecord(stated)
  const { lastSeenAt, ...rest } = finding
  const isExempted = state === 'exempted' && exemptionId !== null
  return {
    ...(rest as Omit<Finding, 'checkedAt' | 'action' | 'scanId' | 'suppression' | 'fingerprint'>),
    checkedAt: lastSeenAt,
    action: stated.row.action,
    scanId: stated.row.scanId,
    state,
    suppression: isExempted ? { kind: 'exemption', id: exemptionId, reason: null, expiresAt: null } : null,
    fingerprint: fingerprintOf({ ...rest, entity: rest.entityId }),
  } as Finding
}
