/**
 * `GET /billing/ledger/export`: the credit of the account as a file that verifies offline. It is read in pages while
 * the client receives it.
 */
import { and, asc, eq, gt, lte } from 'drizzle-orm'
import Type from 'typebox'
import { toIso } from '../../runtime/clock.js'
import { permission } from '../../runtime/operation/access.js'
import { type StreamContext, tenantId } from '../../runtime/operation/context.js'
import { fromAccount, type StreamEvent, stream } from '../../runtime/operation/operation.js'
import { ACCOUNT_WIDE, BILLING_ERRORS, requireBilling } from '../account/gate.js'
import { billingTables, type EntryRow } from '../tables.js'
import { entryFacts } from './record.js'
import { sealLedgers } from './seal.js'

const PAGE = 1000

type Exporting = StreamContext<'billing.ledger.seal'>

export const exportLedger = stream({
  name: 'billing.ledger.export',
  summary: 'Export the credit ledger of the account as a file that verifies offline',
  description:
    'JSON Lines: a header, then one row a line, by subscription and number; the header holds the number of rows. The ledger is sealed in the audit chain first, so an audit export that is made afterwards covers every row: `plumbline billing ledger verify FILE --audit EXPORT`.',
  http: { method: 'get', path: '/billing/ledger/export' },
  access: permission('billing:read'),
  tenant: fromAccount,
  acrossOrganizations: ACCOUNT_WIDE,
  audit: ['billing.ledger.seal'],
  rateLimit: 'billing-export',
  input: {},
  output: Type.String(),
  download: {
    media: 'application/jsonl; charset=utf-8',
    fileName: 'credit-ledger.jsonl',
    example: [
      { plumblineLedger: 1, orgId: '0190a1b2-0000-7000-8000-00000000000a', rows: 1 },
      { id: '0190a1b2-0000-7000-8000-00000000000b', seq: 1, type: 'grant', cents: 1000, hash: '…' },
    ]
      .map((line) => `${JSON.stringify(line)}\n`)
      .join(''),
  },
  errors: [...BILLING_ERRORS, 'NOT_FOUND'],
  async open(context) {
    requireBilling(context.runtime)
    const orgId = tenantId(context)
    const heads = await context.write(async (writing) => {
      await sealLedgers(writing, orgId)
      const { billingSubscriptions: t } = billingTables(writing.tx)
      return writing.tx
        .select({ id: t.id, lastSeq: t.lastSeq })
        .from(t)
        .where(and(eq(t.orgId, orgId), gt(t.lastSeq, 0)))
        .orderBy(asc(t.id))
    })
    return lines(context, orgId, heads)
  },
})

interface Head {
  readonly id: string
  readonly lastSeq: number
}

/** Rows are never changed, so rows that existed at the start are in every page. */
async function* lines(context: Exporting, orgId: string, heads: readonly Head[]): AsyncGenerator<StreamEvent<string>> {
  const rows = heads.reduce((sum, { lastSeq }) => sum + lastSeq, 0)
  yield piece([{ plumblineLedger: 1, orgId, rows, exportedAt: toIso(context.nowMs) }])
  for (const { id, lastSeq } of heads) {
    for (let after = 0; after < lastSeq && !context.signal.aborted; ) {
      const page = await readPage(context, id, after, lastSeq)
      const last = page.at(-1)
      if (last === undefined)
        throw new Error(`the ledger of ${id} ends at row ${after}, before its last row ${lastSeq}`)
      yield piece(page.map(entryFacts))
      after = last.seq
    }
  }
}

const readPage = (context: Exporting, subscriptionId: string, after: number, lastSeq: number): Promise<EntryRow[]> =>
  context.read((db) => {
    const { billingCreditEntries: t } = billingTables(db)
    return db
      .select()
      .from(t)
      .where(and(eq(t.subscriptionId, subscriptionId), gt(t.seq, after), lte(t.seq, lastSeq)))
      .orderBy(asc(t.seq))
      .limit(PAGE)
  })

const piece = (values: readonly object[]): StreamEvent<string> => ({
  event: 'piece',
  data: values.map((value) => `${JSON.stringify(value)}\n`).join(''),
})
