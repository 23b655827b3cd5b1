/**
 * `POST /billing/clocks/:id/fail-payments`: payments of the sandbox account are declined for a time, as with an expired
 * card.
 */
import { eq } from 'drizzle-orm'
import Type from 'typebox'
import { toIso } from '../../runtime/clock.js'
import { invalidField, Refusal } from '../../runtime/errors.js'
import { permission } from '../../runtime/operation/access.js'
import { changed, tenantId } from '../../runtime/operation/context.js'
import { command, fromAccount } from '../../runtime/operation/operation.js'
import { Instant, strictObject, Uuid } from '../../runtime/operation/schema.js'
import { ACCOUNT_WIDE, BILLING_ERRORS } from '../account/gate.js'
import { toMs } from '../account/subscription.js'
import { type BillingWriting, lockRoot, SUBSCRIPTION_ACTIONS } from '../account/writing.js'
import { providerOf } from '../charge/open.js'
import { settleNext } from '../lifecycle/due.js'
import { billingTables } from '../tables.js'
import { ClockView, presentClock, requireClock, requireClocks } from './record.js'

export const failClockPayments = command({
  name: 'billing.clock.fail-payments',
  summary: 'Make payments of the account fail, or succeed again',
  description:
    'Between `from` and `until` renewal invoices stay open, and changes that cost something are refused with 402. At `until`, or with `failing: false`, due invoices are paid and the plan applies again.',
  http: { method: 'post', path: '/billing/clocks/:id/fail-payments' },
  access: permission('billing:manage'),
  tenant: fromAccount,
  acrossOrganizations: ACCOUNT_WIDE,
  audit: ['billing.clock.update', ...SUBSCRIPTION_ACTIONS],
  input: {
    path: Type.Object({ id: Uuid }),
    body: strictObject({
      failing: Type.Optional(Type.Boolean({ default: true, description: '`false`: payments succeed again' })),
      from: Type.Optional(Instant),
      until: Type.Optional(Instant),
    }),
  },
  output: strictObject({ clock: ClockView }),
  errors: [...BILLING_ERRORS, 'CONFLICT', 'NOT_FOUND', 'VALIDATION_ERROR'],
  async run(context, { path: { id }, body }) {
    const { tx, runtime } = context
    requireClocks(runtime)
    if (!providerOf(runtime).isLocal) {
      throw new Refusal('CONFLICT', 'payments are made at the provider: use its test cards that decline')
    }
    const root = await lockRoot(context, tenantId(context))
    const clock = await requireClock(tx, root.id, id)
    const window = windowOf(body, clock.nowMs)
    const { billingClocks: t } = billingTables(tx)
    await tx
      .update(t)
      .set({ ...window, updatedAtMs: context.nowMs })
      .where(eq(t.id, id))
    await context.audit('billing.clock.update', {
      targetType: 'clock',
      targetId: id,
      affectedOrgId: root.id,
      details: { clockId: id, ...textsOf(window) },
    })
    // When payments succeed again, what is due is paid at this instant of the clock.
    while (await settleNext(context as unknown as BillingWriting, root.id, clock.nowMs));
    return changed({ clock: presentClock({ ...clock, ...window }) })
  },
})

interface Window {
  readonly failFromMs: number | null
  readonly failUntilMs: number | null
}

function windowOf(
  { failing = true, from, until }: { readonly failing?: boolean; readonly from?: string; readonly until?: string },
  nowMs: number,
): Window {
  if (!failing) {
    if (from !== undefined || until !== undefined) {
      const field = from === undefined ? 'until' : 'from'
      throw invalidField(`/body/${field}`, 'belongs to `failing: true`; leave it out')
    }
    return { failFromMs: null, failUntilMs: nowMs }
  }
  const failFromMs = from === undefined ? nowMs : toMs(from)
  const failUntilMs = until === undefined ? null : toMs(until)
  if (failFromMs < nowMs)
    throw invalidField('/body/from', `must not be before ${toIso(nowMs)}, the current time of the clock`)
  if (failUntilMs !== null && failUntilMs <= failFromMs) {
    throw invalidField('/body/until', `must be after ${toIso(failFromMs)}, when the payments begin to fail`)
  }
  return { failFromMs, failUntilMs }
}

const textsOf = ({ failFromMs, failUntilMs }: Window) => ({
  ...(failFromMs === null ? {} : { from: toIso(failFromMs) }),
  ...(failUntilMs === null ? {} : { to: toIso(failUntilMs) }),
})
