/**
 * `POST /billing/clocks/:id/advance`: advances the test clock of a sandbox account. Everything that becomes due happens
 * in order and at its own instant, in one transaction under the account's lock. LAW: one large step has the same result
 * as any sequence of smaller steps.
 */
import { eq } from 'drizzle-orm'
import Type from 'typebox'
import { toIso } from '../../runtime/clock.js'
import { invalidField } from '../../runtime/errors.js'
import { permission } from '../../runtime/operation/access.js'
import { changed, tenantId } from '../../runtime/operation/context.js'
import { command, fromAccount } from '../../runtime/operation/operation.js'
import { Instant, strictObject, Uuid } from '../../runtime/operation/schema.js'
import { ACCOUNT_WIDE, BILLING_ERRORS } from '../account/gate.js'
import { toMs } from '../account/subscription.js'
import { type BillingWriting, lockRoot, SUBSCRIPTION_ACTIONS } from '../account/writing.js'
import { settleNext } from '../lifecycle/due.js'
import { billingTables } from '../tables.js'
import { ClockView, presentClock, requireClock, requireClocks } from './record.js'

const LEAP_MAX_MS = 5 * 366 * 86_400_000

export const advanceClock = command({
  name: 'billing.clock.advance',
  summary: 'Advance the test clock of the account',
  description:
    'Trials, renewals, declines, notices, pending changes and ends happen in order. A change that arrives meanwhile waits.',
  http: { method: 'post', path: '/billing/clocks/:id/advance' },
  access: permission('billing:manage'),
  tenant: fromAccount,
  acrossOrganizations: ACCOUNT_WIDE,
  audit: ['billing.clock.advance', ...SUBSCRIPTION_ACTIONS],
  input: { path: Type.Object({ id: Uuid }), body: strictObject({ to: Instant }) },
  output: strictObject({ clock: ClockView }),
  errors: [...BILLING_ERRORS, 'NOT_FOUND', 'VALIDATION_ERROR'],
  async run(context, { path: { id }, body }) {
    const { tx, runtime, nowMs } = context
    requireClocks(runtime)
    const root = await lockRoot(context, tenantId(context))
    const clock = await requireClock(tx, root.id, id)
    const to = toMs(body.to)
    if (to <= clock.nowMs)
      throw invalidField('/body/to', `must be after ${toIso(clock.nowMs)}, the current time of the clock`)
    if (to > clock.nowMs + LEAP_MAX_MS)
      throw invalidField('/body/to', 'must be at most five years ahead: move it in steps')
    // Each at its own instant, so that a large step has the same result as real time.
    while (await settleNext(context as unknown as BillingWriting, root.id, to));
    const { billingClocks: t } = billingTables(tx)
    await tx.update(t).set({ nowMs: to, updatedAtMs: nowMs }).where(eq(t.id, id))
    await context.audit('billing.clock.advance', {
      targetType: 'clock',
      targetId: id,
      affectedOrgId: root.id,
      details: { clockId: id, from: toIso(clock.nowMs), to: toIso(to) },
    })
    return changed({ clock: presentClock({ ...clock, nowMs: to }) })
  },
})
