/**
 * What a change within a period costs.
 *
 * For every line that changes, the unused part of the old price is a credit and the same part of the new price is a
 * charge. Parts are computed by the second, and each line is rounded on its own. LAW: a change and its reversal at one
 * instant cost nothing; a change in several steps at one instant costs the same as in one step; no credit exceeds the
 * price of its line.
 */
import type { Addon, Catalogue } from '../catalogue/types.js'
import type { SoldTier } from '../catalogue/vocabulary.js'
import type { Step } from '../explain/step.js'
import { negate, subtract, sum } from '../money/arithmetic.js'
import { type Cents, cents, type SignedCents, signedCents } from '../money/cents.js'
import { fractionOf } from '../money/fraction.js'
import { type Instant, toMilliseconds } from '../period/instant.js'
import type { Interval } from '../period/interval.js'
import { type PriceLine, priceLines } from '../quote/quote.js'
import { accept, invalid, type Result } from '../refusal/refusal.js'
import type { PeriodBounds } from '../subscription/types.js'

/** Plan, interval and add-ons of a period. */
export interface Holding {
  readonly planId: SoldTier
  readonly interval: Interval
  readonly addons: readonly Addon[]
}

export interface ProrationLine {
  readonly kind: 'proration'
  /** The id of the plan or bundle. */
  readonly id: string
  readonly label: string
  readonly quantity: number
  /** Negative for the credit of an old line. */
  readonly cents: SignedCents
  /** The full price of the line. */
  readonly priceCents: Cents
  readonly secondsLeft: number
  readonly secondsTotal: number
}

export interface Proration {
  /** Credits, then charges, each in catalogue order. */
  readonly lines: readonly ProrationLine[]
  readonly creditCents: Cents
  readonly chargeCents: Cents
  /** Charges less credits. */
  readonly netCents: SignedCents
  readonly steps: readonly Step[]
}

/**
 * Prorates a change. Refused for an instant outside the period, and for a change of the interval: that begins with the
 * next period, because a year cannot be a part of a month.
 */
export function prorate(
  catalogue: Catalogue,
  from: Holding,
  to: Holding,
  period: PeriodBounds,
  at: Instant,
): Result<Proration> {
  if (from.interval !== to.interval) {
    return invalid('interval', `interval must stay ${from.interval} within a period; it changes with the next one`)
  }
  if (at < period.start || at > period.end) {
    return invalid('at', `at must lie within the period from ${period.start} to ${period.end}, it is ${at}`)
  }
  const secondsTotal = seconds(period.end) - seconds(period.start)
  const secondsLeft = seconds(period.end) - seconds(at)
  if (secondsTotal < 1) return invalid('period', 'the period must be at least a second long')
  const before = priceLines(catalogue, from)
  const after = priceLines(catalogue, to)
  const part = (line: PriceLine): Cents => fractionOf(line.cents, secondsLeft, secondsTotal)
  const credits = before.filter((line) => !isAmong(after, line)).map((line) => ({ line, part: part(line) }))
  const charges = after.filter((line) => !isAmong(before, line)).map((line) => ({ line, part: part(line) }))
  const creditCents = sum(credits.map((each) => each.part))
  const chargeCents = sum(charges.map((each) => each.part))
  const toLine = ({ line, part }: (typeof credits)[number], isCredit: boolean): ProrationLine => ({
    kind: 'proration',
    id: line.id,
    label: `${isCredit ? 'Unused' : 'Remaining'} time of ${line.label}`,
    quantity: line.quantity,
    cents: isCredit ? negate(part) : part,
    priceCents: cents(line.cents),
    secondsLeft,
    secondsTotal,
  })
  const lines = [...credits.map((each) => toLine(each, true)), ...charges.map((each) => toLine(each, false))]
  const netCents =
    chargeCents >= creditCents ? subtract(chargeCents, creditCents) : negate(subtract(creditCents, chargeCents))
  const steps = lines.map(prorationStep)
  return accept({ lines, creditCents, chargeCents, netCents: signedCents(netCents), steps })
}

type ProratedStep = Extract<Step, { kind: 'prorated' }>

/** The line as a step, for `renderStep` and `prorationReason`. */
export function prorationStep({ label, cents, priceCents, secondsLeft, secondsTotal }: ProrationLine): ProratedStep {
  return { kind: 'prorated', label, cents, price: priceCents, left: secondsLeft, total: secondsTotal }
}

const seconds = (at: Instant): number => Math.floor(toMilliseconds(at) / 1_000)

function isAmong(lines: readonly PriceLine[], { id, quantity, cents: price }: PriceLine): boolean {
  return lines.some((line) => line.id === id && line.quantity === quantity && line.cents === price)
}
