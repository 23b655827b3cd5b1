/** A promotion as an operator writes it: checked, and not stored yet. */
import Type, { type Static } from 'typebox'
import { invalid } from '../../runtime/errors.js'
import type { Runtime } from '../../runtime/operation/context.js'
import { choice, Instant, strictObject } from '../../runtime/operation/schema.js'
import { toMs } from '../account/subscription.js'
import type { PromotionRow } from '../credit-tables.js'
import { Campaign } from '../discount/create.js'
import { UNITS } from '../discount/record.js'
import { KINDS, Trigger } from './record.js'

export const BudgetCents = Type.Integer({
  minimum: 1,
  maximum: 1_000_000_000,
  description: 'US cents, for all grants together',
})
export const MaxGrants = Type.Integer({ minimum: 1, maximum: 1_000_000_000 })
export const PromotionName = Type.String({
  minLength: 1,
  maxLength: 120,
  pattern: '^[^\\p{Cc}\\p{Zl}\\p{Zp}\\p{Cf}]+$',
  'x-says': 'must be one line without control and invisible characters',
})

export const DraftBody = strictObject({
  name: PromotionName,
  campaign: Type.Optional(Campaign),
  trigger: Trigger,
  value: Type.Integer({
    minimum: 1,
    maximum: 1_000_000_000,
    description: 'US cents, or percent points of the price of the plan',
  }),
  unit: choice(UNITS),
  kind: choice(KINDS),
  referrerValue: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000_000 })),
  startsAt: Type.Optional(Instant),
  endsAt: Type.Optional(Instant),
  budgetCents: BudgetCents,
  perOrgCapCents: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000_000 })),
  maxGrants: Type.Optional(MaxGrants),
  isActive: Type.Optional(Type.Boolean({ description: 'false for a draft' })),
  sandbox: Type.Optional(Type.Boolean({ description: 'For accounts with a test clock only' })),
})

/** @throws Refusal 400 with every problem */
export function toRow(
  { ids }: Pick<Runtime, 'ids'>,
  body: Static<typeof DraftBody>,
  { nowMs, actorId }: { readonly nowMs: number; readonly actorId: string | null },
): PromotionRow {
  const startsAtMs = body.startsAt === undefined ? null : toMs(body.startsAt)
  const endsAtMs = body.endsAt === undefined ? null : toMs(body.endsAt)
  const issues: { path: string; message: string; code: string }[] = []
  const refuse = (field: string, message: string) => issues.push({ path: `/body/${field}`, message, code: 'invalid' })
  if (body.unit === 'percent' && body.value > 100) refuse('value', 'must be at most 100 percent')
  if (body.unit === 'percent' && (body.referrerValue ?? 0) > 100) refuse('referrerValue', 'must be at most 100 percent')
  if (body.referrerValue !== undefined && body.trigger.type !== 'referral') {
    refuse('referrerValue', 'is only for promotions with the trigger `referral`')
  }
  if (body.kind === 'recurring' && body.trigger.type === 'referral') refuse('kind', 'must be `onetime` for a referral')
  if (endsAtMs !== null && endsAtMs <= (startsAtMs ?? nowMs)) refuse('endsAt', 'must be after the start')
  if (issues.length > 0) throw invalid(issues)
  return {
    id: ids.next(),
    name: body.name,
    campaign: body.campaign ?? null,
    triggerType: body.trigger.type,
    conditions: body.trigger.conditions ?? {},
    value: body.value,
    unit: body.unit,
    kind: body.kind,
    referrerValue: body.referrerValue ?? null,
    startsAtMs,
    endsAtMs,
    budgetCents: body.budgetCents,
    spentCents: 0,
    grantsCount: 0,
    perOrgCapCents: body.perOrgCapCents ?? null,
    maxGrants: body.maxGrants ?? null,
    isActive: body.isActive ?? true,
    activatedAtMs: null,
    failedAccounts: 0,
    sandbox: body.sandbox ?? false,
    createdBy: actorId,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
  }
}

export const evidenceOf = (row: PromotionRow) => ({
  targetType: 'promotion',
  targetId: row.id,
  details: { promotionId: row.id, kind: row.kind, unit: row.unit, value: row.value, budgetCents: row.budgetCents },
})
