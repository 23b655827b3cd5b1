/**
 * `GET /compliance/audit/export`: the check log with its manifests as a file. `plumbline audit verify --check-log`
 * compares it with the seals in the organization's chain, without this server.
 */
import { and, asc, eq, gt } from 'drizzle-orm'
import Type from 'typebox'
import { permission } from '../../runtime/operation/access.js'
import { type StreamContext, tenantId } from '../../runtime/operation/context.js'
import { fromHeader, type StreamEvent, stream } from '../../runtime/operation/operation.js'
import { checkRecord } from '../check/list.js'
import { checkPages } from '../check/pages.js'
import { complianceTables } from '../tables.js'
import { sealRecord } from './record.js'

const PAGE = 1000

export const exportCheckLog = stream({
  name: 'compliance.seal.export',
  summary: 'Export the check log as a file that verifies offline',
  description:
    'JSON Lines: a header, then the seal of each hour (`seal`), then the checks (`check`), the oldest first. `plumbline audit verify LOG --check-log FILE` compares it with the seals in the chain.',
  http: { method: 'get', path: '/compliance/audit/export' },
  access: permission('compliance:read'),
  tenant: fromHeader,
  input: {},
  output: Type.String(),
  download: {
    media: 'application/jsonl; charset=utf-8',
    fileName: 'check-log.jsonl',
    example: [
      { plumblineCheckLog: 1, orgId: '0190a1b2-0000-7000-8000-00000000000a' },
      { seal: { ordinal: 1, from: '2026-11-21T10:00:00.000Z', through: '2026-11-21T11:00:00.000Z', manifest: '…\n' } },
      { check: { id: '0190a1b2-0000-7000-8000-00000000000b', result: 'pass' } },
    ]
      .map((line) => `${JSON.stringify(line)}\n`)
      .join(''),
  },
  errors: [],
  async open(context) {
    return lines(context, tenantId(context))
  },
})

async function* lines(context: StreamContext, orgId: string): AsyncGenerator<StreamEvent<string>> {
  yield piece([{ plumblineCheckLog: 1, orgId }])
  for (let after = 0; !context.signal.aborted; ) {
    const [seal] = await context.read((db) => {
      const { checkSeals: t } = complianceTables(db)
      const next = and(eq(t.orgId, orgId), gt(t.ordinal, after))
      return db.select().from(t).where(next).orderBy(asc(t.ordinal)).limit(1)
    })
    if (seal === undefined) break
    yield piece([{ seal: sealRecord(seal) }])
    after = seal.ordinal
  }
  for await (const rows of checkPages(context, { orgId, rows: PAGE })) {
    yield piece(rows.map((row) => ({ check: checkRecord(row) })))
  }
}

const piece = (values: readonly unknown[]): StreamEvent<string> => ({
  event: 'piece',
  data: values.map((value) => `${JSON.stringify(value)}\n`).join(''),
})
