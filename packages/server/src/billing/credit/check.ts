/**
 * `GET /billing/admin/credits/:orgId/check`: replays the account's ledger from the first row, and lists what is wrong.
 */
import { checkLedger } from '@plumbline/billing-core'
import { asc, eq } from 'drizzle-orm'
import Type from 'typebox'
import { notFound } from '../../runtime/errors.js'
import { systemAdmin } from '../../runtime/operation/access.js'
import { noTenant, query } from '../../runtime/operation/operation.js'
import { nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'
import { findRoot } from '../account/find.js'
import { BILLING_ERRORS, requireBilling } from '../account/gate.js'
import { toLedgerRow } from '../ledger/store.js'
import { billingTables } from '../tables.js'

export const checkCredit = query({
  name: 'billing.credit.check',
  summary: 'Replay the credit ledger of an account, and list what is wrong',
  description: 'Signs, keys, numbers and balances are computed again from the rows, and compared with the stored ones.',
  http: { method: 'get', path: '/billing/admin/credits/:orgId/check' },
  access: systemAdmin(),
  tenant: noTenant,
  snapshot: true,
  input: { path: Type.Object({ orgId: Uuid }) },
  output: strictObject({
    orgId: Uuid,
    ok: Type.Boolean(),
    rows: Type.Integer({ minimum: 0 }),
    subscriptions: Type.Array(
      strictObject({
        id: Uuid,
        balanceCents: Type.Integer({ description: 'As it is stored, in US cents' }),
        sumCents: Type.Integer({ description: 'Sum of its rows, in US cents' }),
      }),
    ),
    findings: Type.Array(strictObject({ code: Type.String(), rowId: nullable(Type.String()), message: Type.String() })),
  }),
  errors: [...BILLING_ERRORS, 'NOT_FOUND'],
  async run({ runtime, db }, { path: { orgId } }) {
    requireBilling(runtime)
    const root = await findRoot(db, orgId)
    if (root === null) throw notFound('Organization')
    const { billingCreditEntries: e, billingSubscriptions: s } = billingTables(db)
    const rows = await db.select().from(e).where(eq(e.orgId, root.id)).orderBy(asc(e.subscriptionId), asc(e.seq))
    const own = await db.select().from(s).where(eq(s.orgId, root.id)).orderBy(asc(s.id))
    const subscriptions = own.map(({ id, balanceCents }) => ({
      id,
      balanceCents,
      sumCents: rows.filter((each) => each.subscriptionId === id).reduce((sum, { cents }) => sum + cents, 0),
    }))
    const findings = [
      ...checkLedger(rows.map(toLedgerRow)).map(({ code, rowId, message }) => ({
        code: code as string,
        rowId,
        message,
      })),
      ...subscriptions
        .filter(({ balanceCents, sumCents }) => balanceCents !== sumCents)
        .map(({ id, balanceCents, sumCents }) => ({
          code: 'balance_differs',
          rowId: null,
          message: `subscription ${id} has a balance of ${balanceCents} cents, its rows sum to ${sumCents}`,
        })),
    ]
    return { orgId: root.id, ok: findings.length === 0, rows: rows.length, subscriptions, findings }
  },
})
