/** `POST /billing/clocks`: makes the account a sandbox, until its clock is deleted. This is possible only before its first subscription. */
import Type from 'typebox'
import { Refusal } from '../../runtime/errors.js'
import { permission } from '../../runtime/operation/access.js'
import { changed, tenantId } from '../../runtime/operation/context.js'
import { command, fromAccount } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { ACCOUNT_WIDE, BILLING_ERRORS } from '../account/gate.js'
import { hadSubscription } from '../account/had.js'
import { isSandbox } from '../account/open.js'
import { bumpVersion, lockRoot } from '../account/writing.js'
import { billingTables, type ClockRow } from '../tables.js'
import { attachClock } from './attach.js'
import { ClockView, presentClock, requireClocks } from './record.js'

const NEVER_FAILS = { failFromMs: null, failUntilMs: null }

export const createClock = command({
  name: 'billing.clock.create',
  summary: 'Give the account a test clock',
  description: 'It starts at the present time and moves only on request. Nothing that happens by it is charged.',
  http: { method: 'post', path: '/billing/clocks', status: 201 },
  access: permission('billing:manage'),
  tenant: fromAccount,
  acrossOrganizations: ACCOUNT_WIDE,
  audit: ['billing.clock.create'],
  idempotent: true,
  input: {
    body: strictObject({
      name: Type.String({
        minLength: 1,
        maxLength: 120,
        pattern: '^[^\\p{Cc}\\p{Zl}\\p{Zp}\\p{Cf}]+$',
        'x-says': 'must be one line without control and invisible characters',
      }),
    }),
  },
  output: strictObject({ clock: ClockView }),
  errors: [...BILLING_ERRORS, 'CONFLICT', 'NOT_FOUND', 'VALIDATION_ERROR'],
  async run(context, { body: { name } }) {
    const { tx, runtime, nowMs } = context
    requireClocks(runtime)
    const root = await lockRoot(context, tenantId(context))
    if (await isSandbox(tx, root.id)) throw new Refusal('CONFLICT', 'the account has a test clock; move that one')
    // guard: clocks-are-for-accounts-that-never-paid
    if (await hadSubscription(tx, root.id)) {
      throw new Refusal('CONFLICT', 'the account had a subscription; use a new organization to try billing out')
    }
    const id = runtime.ids.next()
    const row: ClockRow = { id, orgId: root.id, name, nowMs, ...NEVER_FAILS, createdAtMs: nowMs, updatedAtMs: nowMs }
    await tx.insert(billingTables(tx).billingClocks).values(row)
    await bumpVersion(context, root.id)
    await attachClock(tx, root.id, id)
    await context.audit('billing.clock.create', {
      targetType: 'clock',
      targetId: id,
      affectedOrgId: root.id,
      details: { clockId: id, now: new Date(nowMs).toISOString() },
    })
    return changed({ clock: presentClock(row) })
  },
})
