/** The texts of notices about a subscription. Every text says what is true now, and what the reader can do. */
import { cents, findPlan, formatCents, type SoldTier } from '@plumbline/billing-core'
import { toIso } from '../../runtime/clock.js'
import type { Settings } from '../../runtime/settings/load.js'
import type { SubscriptionRow } from '../tables.js'

export interface NoticeText {
  readonly subject: string
  readonly content: string
  readonly isUrgent: boolean
}

type Told = Pick<
  SubscriptionRow,
  'planId' | 'interval' | 'pendingChange' | 'currentPeriodEndMs' | 'graceEndsAtMs' | 'graceDowngradedAtMs'
>

const dayOf = (ms: number): string => toIso(ms).slice(0, 10)

export const planName = ({ tiers }: Pick<Settings, 'tiers'>, planId: string): string =>
  findPlan(tiers, planId)?.name ?? planId

export function trialEnding(settings: Pick<Settings, 'tiers'>, row: Told): NoticeText {
  const plan = findPlan(settings.tiers, row.planId as SoldTier)
  const price = plan === undefined ? '' : ` at ${formatCents(plan.prices[row.interval as 'monthly'])}`
  const ends = dayOf(row.currentPeriodEndMs)
  return {
    subject: `The trial of ${planName(settings, row.planId)} ends on ${ends}`,
    content: `The trial ends on ${ends}. The ${row.interval} subscription begins then${price}, plus add-ons. Cancel before that day if you do not want it.`,
    isUrgent: false,
  }
}

export function renewing(settings: Pick<Settings, 'tiers'>, row: Told, totalCents: number): NoticeText {
  const plan = planName(settings, row.pendingChange?.planId ?? row.planId)
  const on = dayOf(row.currentPeriodEndMs)
  return {
    subject: `${plan} renews on ${on}`,
    content: `The subscription renews on ${on}. The invoice will be ${formatCents(cents(totalCents))}. Change or cancel the subscription before that day if you do not want this.`,
    isUrgent: false,
  }
}

export function paymentDue(settings: Pick<Settings, 'tiers'>, row: Told, dueCents: number | null): NoticeText {
  const plan = planName(settings, row.planId)
  const amount = dueCents === null ? 'A payment' : `A payment of ${formatCents(cents(dueCents))}`
  const holds =
    row.graceDowngradedAtMs !== null || row.graceEndsAtMs === null
      ? 'The limits of the free plan apply until it is paid.'
      : `${plan} and its add-ons stay active until ${dayOf(row.graceEndsAtMs)}; then the limits of the free plan apply.`
  return {
    subject: `A payment for ${plan} failed`,
    content: `${amount} for ${plan} failed. ${holds} Nothing is deleted, and a payment restores everything at once.`,
    isUrgent: true,
  }
}

export function graceEnded(settings: Pick<Settings, 'tiers'>, row: Told): NoticeText {
  const plan = planName(settings, row.planId)
  return {
    subject: `${plan} is suspended until it is paid`,
    content: `The time to pay for ${plan} is over, so the limits of the free plan apply. All your data is kept. A payment restores ${plan} and its add-ons at once.`,
    isUrgent: true,
  }
}

export function endedUnpaid(settings: Pick<Settings, 'tiers'>, row: Told): NoticeText {
  const plan = planName(settings, row.planId)
  return {
    subject: `The subscription to ${plan} has ended`,
    content: `The subscription to ${plan} was not paid and has ended. The organization is on the free plan, and all your data is kept. You can subscribe again at any time.`,
    isUrgent: true,
  }
}
