/**
 * `POST /billing/preview`: what a subscription, or a change of plan or add-ons, would cost, line by line, and what it
 * would do.
 */
import {
  createSubscription,
  drawInvoice,
  effectiveLimits,
  findPlan,
  type Holding,
  nextInvoice,
  pack,
  priceLines,
  type SoldTier,
  ZERO,
} from '@plumbline/billing-core'
import Type from 'typebox'
import { invalidField } from '../../runtime/errors.js'
import { permission } from '../../runtime/operation/access.js'
import { type ReadContext, tenantId } from '../../runtime/operation/context.js'
import { fromAccount, query } from '../../runtime/operation/operation.js'
import { choice, Instant, nullable, strictObject } from '../../runtime/operation/schema.js'
import { ACCOUNT_WIDE, BILLING_ERRORS, granted, requireBilling } from '../account/gate.js'
import { newRow } from '../account/insert.js'
import { accountTime } from '../account/open.js'
import { at, findLive, IntervalName, PlanId } from '../account/subscription.js'
import { trialEnd } from '../account/trial.js'
import { requireAnswered } from '../call/carry-out.js'
import { readChangeFacts } from '../change/change-facts.js'
import { type AskedAddon, leftToDo, planTheChange, setAddons, WHENS, type When } from '../change/plan-change.js'
import { learnPrices } from '../charge/learn-prices.js'
import { providerOf } from '../charge/open.js'
import { requirePlanSoldHere } from '../charge/self-service.js'
import { invoiceAccount } from '../invoice/account.js'
import { sourcesOf } from '../invoice/sources.js'
import { promisedCents, promisedPromotions } from '../promotion/promised.js'
import { isFree } from '../provider/things.js'
import { AddonList } from './addon-body.js'
import { requireBuyer, requireSuperseded } from './begins.js'
import { effectsOf, presentEffects } from './change-view.js'
import { previewTokenOf } from './preview-token.js'

export const PreviewView = strictObject({
  previewToken: nullable(
    Type.String({ description: 'For `PUT /billing/subscriptions/:id`: the change then costs what is shown' }),
  ),
  when: choice(WHENS),
  effectiveAt: Instant,
  planId: PlanId,
  interval: IntervalName,
  trialEndsAt: nullable(Instant),
  pruned: Type.Array(strictObject({ bundleId: Type.String(), reason: Type.String() })),
  cascaded: Type.Array(Type.String(), { description: 'Bundles that are removed because a required one is removed' }),
  ...effectsOf,
})

const Body = strictObject(
  {
    planId: Type.Optional(PlanId),
    interval: Type.Optional(IntervalName),
    addons: Type.Optional(AddonList),
    when: Type.Optional(choice(WHENS, { description: '`period_end` is the default for another interval, else `now`' })),
  },
  { minProperties: 1 },
)

export const previewSubscription = query({
  name: 'billing.subscription.preview',
  summary: 'Preview a subscription, or a change of plan or add-ons',
  description:
    'What the change would be refused for, the preview is refused for with the same code. Only three things are left to the change: exceeded limits are listed in `overages`, whether a payment goes through is known when it is tried, and so is what the provider alone refuses.',
  http: { method: 'post', path: '/billing/preview' },
  access: permission('billing:read'),
  tenant: fromAccount,
  acrossOrganizations: ACCOUNT_WIDE,
  snapshot: true,
  rateLimit: 'billing-preview',
  input: { body: Body },
  output: strictObject({ preview: PreviewView }),
  errors: [
    ...BILLING_ERRORS,
    'CHANGE_IN_PROGRESS',
    'CONFLICT',
    'MANAGED_BY_MARKETPLACE',
    'MISSING_REQUIRED_FIELD',
    'NOT_FOUND',
    'PRICE_NOT_CONFIGURED',
    'VALIDATION_ERROR',
  ],
  prepare: (context, { body }) => learnPrices(context, body),
  async run(context, { body }) {
    const { runtime, db } = context
    requireBilling(runtime)
    requirePlanSoldHere(runtime)
    const rootOrgId = tenantId(context)
    const { nowMs } = await accountTime(db, rootOrgId, context.nowMs)
    const row = await findLive(db, rootOrgId)
    if (row === null) return { preview: await previewNew(context, body, nowMs) }
    const planned = planTheChange(runtime, row, body, await readChangeFacts(runtime, db, row, { nowMs }))
    const isPlan = body.planId !== undefined || body.interval !== undefined
    await requireAnswered(runtime, db, row, leftToDo(row, planned, isPlan))
    const { when, after } = planned
    return {
      preview: {
        previewToken: await previewTokenOf(db, rootOrgId, nowMs),
        when,
        effectiveAt: at(when === 'now' ? nowMs : row.currentPeriodEndMs),
        planId: after.planId,
        interval: after.interval,
        trialEndsAt: row.status === 'trialing' ? at(row.currentPeriodEndMs) : null,
        pruned: planned.pruned.map(({ bundleId, pruneReason }) => ({ bundleId, reason: pruneReason })),
        cascaded: planned.cascaded.map(({ bundleId }) => bundleId),
        ...presentEffects(runtime, planned),
      },
    }
  },
})

interface AskedNew {
  readonly planId?: SoldTier
  readonly interval?: 'monthly' | 'annual'
  readonly addons?: readonly AskedAddon[]
  readonly when?: When
}

/** What the first invoice and the one after it would be. */
async function previewNew(
  context: ReadContext,
  { planId, interval = 'monthly', addons = [], when }: AskedNew,
  nowMs: number,
) {
  const { runtime, db } = context
  const { tiers } = runtime.settings
  if (planId === undefined || findPlan(tiers, planId) === undefined) {
    throw invalidField('/body/planId', 'is needed: the account has no subscription to change', 'required')
  }
  if (when === 'period_end') {
    throw invalidField('/body/when', 'must not be `period_end`: the account has no period that could end', 'when')
  }
  const orgId = tenantId(context)
  await requireBuyer(db, orgId)
  const trialEndsAt = await trialEnd(runtime, db, { rootOrgId: orgId, planId, nowMs })
  const begins =
    trialEndsAt === null
      ? ({ status: 'active' } as const)
      : ({ status: 'trialing', period: { start: at(nowMs), end: trialEndsAt } } as const)
  const command = { id: orgId, orgId, planId, interval, ...begins, existing: null } as const
  const { subscription } = granted(createSubscription(command, at(nowMs)))
  const after: Holding = {
    planId,
    interval,
    addons: setAddons(runtime, { planId, interval, addons: [] }, addons).addons,
  }
  const provider = providerOf(runtime)
  if (!provider.isLocal && !isFree(after)) provider.requireSellable(after)
  if (!provider.isLocal) await requireSuperseded(db, orgId)
  const row = await newRow(db, { ...subscription, addons: after.addons }, nowMs)
  const promised = await promisedPromotions(runtime, db, row, 'subscription_created')
  const balanceCents = promisedCents(runtime, promised, row, { trigger: 'subscription_created', atMs: nowMs })
  const own = invoiceAccount({ ...row, balanceCents }, await sourcesOf(runtime, db, row))
  return {
    previewToken: null,
    when: 'now' as const,
    effectiveAt: at(nowMs),
    planId,
    interval,
    trialEndsAt,
    pruned: [],
    cascaded: [],
    ...presentEffects(runtime, {
      after,
      overages: [],
      effective: effectiveLimits(tiers, planId, after.addons),
      lostCombos: [],
      gainedCombos: pack(tiers, after.addons, interval).combos,
      invoiceNow: trialEndsAt === null ? drawInvoice(priceLines(tiers, after), ZERO) : null,
      nextInvoice: nextInvoice(tiers, own, at(nowMs)),
    }),
  }
}
