/** The authoring form of a discount, `value:unit:kind[:campaign]`: `20:percent:recurring:launch`, `50:$:credit`. */
import { type Cents, cents } from '../money/cents.js'
import { formatCents } from '../money/format.js'
import { percent } from '../money/percent.js'
import { invalid, type Result, refuse, show } from '../refusal/refusal.js'
import { type DiscountKind, type DiscountTerms, type DiscountValue, discountKinds } from './types.js'

const DIGITS = /^[0-9]+$/
const CAMPAIGN = /^[A-Za-z0-9_-]{1,64}$/
const MAX_DOLLARS = 1_000_000

const UNITS: ReadonlyMap<string, DiscountValue['unit']> = new Map([
  ['dollar', 'dollar'],
  ['$', 'dollar'],
  ['percent', 'percent'],
  ['%', 'percent'],
])

/** Parses the authoring form. Units and kinds are case-insensitive, and white space around the text is ignored. */
export function parseDiscount(text: unknown, field = 'code'): Result<DiscountTerms> {
  if (typeof text !== 'string') return invalid(field, `${field} must be a text such as 20:percent:recurring`)
  const parts = text.trim().split(':')
  if (parts.length < 3 || parts.length > 4) {
    return invalid(field, `${field} must be value:unit:kind or value:unit:kind:campaign, not ${show(text)}`)
  }
  const [value = '', unitText = '', kindText = '', campaign] = parts
  const amount = DIGITS.test(value) ? Number(value) : 0
  if (!Number.isSafeInteger(amount) || amount < 1) {
    return invalid(`${field}.value`, `${field} value must be a whole number from 1, not ${show(value)}`)
  }
  const unit = UNITS.get(unitText.toLowerCase())
  if (unit === undefined) {
    return invalid(`${field}.unit`, `${field} unit must be dollar, $, percent or %, not ${show(unitText)}`)
  }
  const kind = discountKinds.find((known) => known === kindText.toLowerCase())
  if (kind === undefined) {
    return invalid(`${field}.kind`, `${field} kind must be ${discountKinds.join(', ')}, not ${show(kindText)}`)
  }
  if (campaign !== undefined && !CAMPAIGN.test(campaign)) {
    return invalid(
      `${field}.campaign`,
      `${field} campaign must be 1 to 64 letters, digits, - or _, not ${show(campaign)}`,
    )
  }
  const limit = unit === 'percent' ? 100 : MAX_DOLLARS
  if (amount > limit) {
    return invalid(
      `${field}.value`,
      `${field} value must be at most ${limit} ${unit === 'percent' ? 'percent' : 'dollars'}`,
    )
  }
  return { ok: true, value: terms(unit, amount, kind, campaign) }
}

function terms(
  unit: DiscountValue['unit'],
  amount: number,
  kind: DiscountKind,
  campaign: string | undefined,
): DiscountTerms {
  const label = campaign === undefined ? {} : { campaign }
  return unit === 'percent'
    ? { unit, value: percent(amount), kind, ...label }
    : { unit, value: cents(amount * 100), kind, ...label }
}

/** Returns the authoring form of terms, which `parseDiscount` reads back. Dollar values must be whole dollars. */
export function printDiscount(from: DiscountTerms): string {
  if (from.unit === 'dollar' && from.value % 100 !== 0) {
    throw new RangeError(`${formatCents(from.value)} has no authoring form: it is not whole dollars`)
  }
  const value = from.unit === 'percent' ? from.value : from.value / 100
  const campaign = from.campaign === undefined ? '' : `:${from.campaign}`
  return `${value}:${from.unit}:${from.kind}${campaign}`
}

export interface DiscountCeilings {
  readonly maxPercent: number
  readonly maxCents: Cents
}

/**
 * Checks a value against the limits of a deployment, which are inclusive. They apply when a discount is created, not
 * when it is redeemed.
 */
export function checkCeilings(value: DiscountValue, ceilings: DiscountCeilings): Result<DiscountValue> {
  const [limit, shown] =
    value.unit === 'percent'
      ? [ceilings.maxPercent, `${ceilings.maxPercent} percent`]
      : [ceilings.maxCents, formatCents(ceilings.maxCents)]
  if (value.value <= limit) return { ok: true, value }
  return refuse('DISCOUNT_CEILING_EXCEEDED', `value must be at most ${shown}`, { field: 'value', details: { limit } })
}
