/** Export findings as the list shows them, with the same filters and states. */
import { and, asc, eq, gt, inArray } from 'drizzle-orm'
import Type from 'typebox'
import { toIsoOrNull } from '../../runtime/clock.js'
import { permission } from '../../runtime/operation/access.js'
import type { StreamContext } from '../../runtime/operation/context.js'
import { fromHeader, type StreamEvent, stream } from '../../runtime/operation/operation.js'
import type { Db } from '../../runtime/store/db.js'
import { heldOf } from '../held.js'
import { complianceTables } from '../tables.js'
import { download, format, PAGE } from './download.js'
import { type Finding, fingerprintOf, type Suppression } from './finding.js'
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
  const held = heldOf(context)
  const { orgId } = held
  yield { event: 'piece', data: writer.begin() }
  for (let last = ''; ; ) {
    const page = await context.read(async (db) => {
      const { findings: t } = complianceTables(db)
      const { state, exemptionId } = await stateOf(db, { orgId, nowMs: context.nowMs })
      const where = and(findingsWanted(db, held, wanted, state), gt(t.id, last))
      const rows = await db.select({ row: t, state, exemptionId }).from(t).where(where).orderBy(asc(t.id)).limit(PAGE)
      const waivers = await waiversOf(db, orgId, rows)
      return rows.map((stated) => ({ stated, waiver: waivers.get(stated.exemptionId ?? '') ?? null }))
    })
    const text = page.map(({ stated, waiver }) => writer.finding(exported(stated, waiver))).join('')
    if (text !== '') yield { event: 'piece', data: text }
    const end = page.at(-1)
    if (end === undefined || page.length < PAGE) break
    last = end.stated.row.id
  }
  yield { event: 'piece', data: writer.end(true) }
}

/** The exemptions that cover findings of a page, by id, as the check log states them. */
async function waiversOf(
  db: Db,
  orgId: string,
  page: readonly StatedFinding[],
): Promise<ReadonlyMap<string, Suppression>> {
  const { exemptions: t } = complianceTables(db)
  const covering = page.filter(({ state }) => state === 'exempted')
  const ids = [...new Set(covering.flatMap(({ exemptionId }) => exemptionId ?? []))]
  if (ids.length === 0) return new Map()
  const rows = await db
    .select({ id: t.id, reason: t.reason, expiresAtMs: t.expiresAtMs })
    .from(t)
    .where(and(eq(t.orgId, orgId), inArray(t.id, ids)))
  return new Map(
    rows.map(({ id, reason, expiresAtMs }) => [
      id,
      { kind: 'exemption', id, reason, expiresAt: toIsoOrNull(expiresAtMs) },
    ]),
  )
}

/** In the format of the other finding exports, so that their files can be compared. */
function exported(stated: StatedFinding, suppression: Suppression | null): Finding {
  const {
    id: _,
    state,
    exemptionId: _e,
    firstSeenAt: _f,
    since: _s,
    checkedAt: _c,
    fixedAt: _x,
    ...finding
  } = findingRecord(stated)
  const { lastSeenAt, ...rest } = finding
  return {
    ...(rest as Omit<Finding, 'checkedAt' | 'action' | 'scanId' | 'suppression' | 'fingerprint'>),
    checkedAt: lastSeenAt,
    action: stated.row.action,
    scanId: stated.row.scanId,
    state,
    suppression,
    fingerprint: fingerprintOf({ ...rest, entity: rest.entityId }),
  } as Finding
}
