/**
 * What becomes due for a subscription by time alone: the end of a trial and the notice before it, the consequences of a
 * failed payment, and the end of a period.
 *
 * The hourly job and test clocks that advance by years use the same list. LAW: what is due next is due at one fixed
 * instant, no matter who looks and when. After it is done, it is not due again.
 */
import { addDays, type Instant } from '../period/instant.js'
import type { Subscription } from './types.js'

export const TRIAL_NOTICE_DAYS = 3

/** The order in which things happen that are due at the same instant. */
const KINDS = ['payment', 'dunning', 'grace_end', 'trial_notice', 'renewal_notice', 'trial_end', 'period_end'] as const
export type DueKind = (typeof KINDS)[number]

export interface Due {
  readonly kind: DueKind
  readonly at: Instant
}

export interface Agenda {
  /** Notices up to this instant were sent. */
  readonly toldThrough: Instant | null
  /** Days after the first failed payment on which the account is notified. */
  readonly dunningDays: readonly number[]
  /** Days before the end of a period on which the account is notified of its renewal; 0 for never. */
  readonly reminderDays: number
  /** True when the platform ends periods and trials itself; false when a provider does. */
  readonly isLocal: boolean
  /** When payments that a test clock made fail succeed again; null for never. */
  readonly paysAt: Instant | null
}

export function nextDue(subscription: Subscription, agenda: Agenda): Due | null {
  const all = [...noticesOf(subscription, agenda), ...endsOf(subscription, agenda)]
  return all.reduce<Due | null>((first, each) => (first === null || isBefore(each, first) ? each : first), null)
}

const isBefore = (one: Due, other: Due): boolean =>
  one.at < other.at || (one.at === other.at && KINDS.indexOf(one.kind) < KINDS.indexOf(other.kind))

function noticesOf(subscription: Subscription, { toldThrough, dunningDays, reminderDays }: Agenda): Due[] {
  const { status, firstFailedAt, cancelAtPeriodEnd } = subscription
  const isNew = ({ at }: Due) => toldThrough === null || at > toldThrough
  if (status === 'trialing' && !cancelAtPeriodEnd) {
    return [{ kind: 'trial_notice', at: beforeTheEnd(subscription, TRIAL_NOTICE_DAYS) } as const].filter(isNew)
  }
  if (status === 'active' && !cancelAtPeriodEnd && reminderDays > 0) {
    return [{ kind: 'renewal_notice', at: beforeTheEnd(subscription, reminderDays) } as const].filter(isNew)
  }
  if (status !== 'past_due' || firstFailedAt === null) return []
  return dunningDays.map((days): Due => ({ kind: 'dunning', at: addDays(firstFailedAt, days) })).filter(isNew)
}

/** That many days before the end of the period, or the start of the period when it is shorter than that. */
function beforeTheEnd({ currentPeriodStart: start, currentPeriodEnd: end }: Subscription, days: number): Instant {
  const [, at = start] = [start, addDays(end, -days)].sort()
  return at
}

function endsOf(subscription: Subscription, { isLocal, paysAt }: Agenda): Due[] {
  const { status, graceEndsAt, graceDowngradedAt, currentPeriodEnd } = subscription
  const found: Due[] = []
  if (status === 'past_due' && graceEndsAt !== null && graceDowngradedAt === null) {
    found.push({ kind: 'grace_end', at: graceEndsAt })
  }
  if (!isLocal) return found
  if (status === 'past_due' && paysAt !== null) found.push({ kind: 'payment', at: paysAt })
  if (status === 'trialing') found.push({ kind: 'trial_end', at: currentPeriodEnd })
  if (status === 'active' || status === 'past_due') found.push({ kind: 'period_end', at: currentPeriodEnd })
  return found
}
