/** The texts of notices about a subscription. Every text says what is true now, and what the reader can do. */
import { cents, findPlan, formatCents } from '@plumbline/billing-core'
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

/**
 * @param totalCents The first invoice, with add-ons and what waits for the end of the trial.
 * @param isCharged Whether a provider charges it, and ends it without a payment method.
 */
export function trialEnding(
  settings: Pick<Settings, 'tiers'>,
  row: Told,
  { totalCents, isCharged }: { readonly totalCents: number; readonly isCharged: boolean },
): NoticeText {
  const { planId, interval } = row.pendingChange ?? row
  const ends = dayOf(row.currentPeriodEndMs)
  const needs = isCharged ? ' Without a payment method it ends instead, so add one before that day.' : ''
  return {
    subject: `The trial of ${planName(settings, row.planId)} ends on ${ends}`,
    content: `The trial ends on ${ends}. The ${interval} subscription to ${planName(settings, planId)} begins then. Its first invoice will be ${formatCents(cents(totalCents))}.${needs} Cancel before that day if you do not want it.`,
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

/** It ended at the provider, and nobody asked for that here. */
export function endedThere(settings: Pick<Settings, 'tiers'>, row: Told & Pick<SubscriptionRow, 'status'>): NoticeText {
  if (row.status === 'past_due') return endedUnpaid(settings, row)
  const plan = planName(settings, row.planId)
  const why =
    row.status === 'trialing'
      ? `The trial of ${plan} is over, and there was no payment method, so the subscription has ended.`
      : `The subscription to ${plan} was ended at the payment provider.`
  return {
    subject: `The subscription to ${plan} has ended`,
    content: `${why} The organization is on the free plan, and all your data is kept. You can subscribe again at any time.`,
    isUrgent: true,
  }
}
