/** What falls due by time alone: against a list written by hand, and done one after the other it comes to an end. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Agenda,
  addDays,
  createSubscription,
  instant,
  nextDue,
  type Subscription,
  transition,
} from '../src/index.js'
import { ok } from './support/build.js'

const START = instant('2026-01-01T00:00:00.000Z')
const command = { id: 'sub_1', orgId: 'org_a', planId: 'team', interval: 'monthly', existing: null } as const
const active = ok(createSubscription({ ...command, status: 'active' }, START)).subscription
const trial = (days: number): Subscription =>
  ok(createSubscription({ ...command, status: 'trialing', period: { start: START, end: addDays(START, days) } }, START))
    .subscription
const overdue = (at = START): Subscription =>
  ok(transition(active, { type: 'payment_failed', invoiceId: 'in_1', attempt: 1 }, at)).subscription
const agenda: Agenda = { toldThrough: null, dunningDays: [0, 3, 6], reminderDays: 0, isLocal: true, paysAt: null }

describe('next due', () => {
  test.each<[string, Subscription, Partial<Agenda>, string | null]>([
    ['the end of the period', active, {}, 'period_end 2026-02-01'],
    ['a word before it renews', active, { reminderDays: 7 }, 'renewal_notice 2026-01-25'],
    ['also where a provider ends it', active, { reminderDays: 7, isLocal: false }, 'renewal_notice 2026-01-25'],
    ['at its start where the word would come earlier', active, { reminderDays: 90 }, 'renewal_notice 2026-01-01'],
    ['once', active, { reminderDays: 7, toldThrough: addDays(START, 24) }, 'period_end 2026-02-01'],
    ['none where it ends', { ...active, cancelAtPeriodEnd: true }, { reminderDays: 7 }, 'period_end 2026-02-01'],
    ['nothing where a provider ends it', active, { isLocal: false }, null],
    ['a word three days before a trial ends', trial(14), {}, 'trial_notice 2026-01-12'],
    ['at once in a short trial', trial(2), {}, 'trial_notice 2026-01-01'],
    ['its end, once that was told', trial(14), { toldThrough: addDays(START, 11) }, 'trial_end 2026-01-15'],
    ['no word about a trial that was canceled', { ...trial(14), cancelAtPeriodEnd: true }, {}, 'trial_end 2026-01-15'],
    ['a failed payment at once', overdue(), {}, 'dunning 2026-01-01'],
    ['and again on the days', overdue(), { toldThrough: addDays(START, 3) }, 'dunning 2026-01-07'],
    ['the end of grace, also with a provider', overdue(), { dunningDays: [], isLocal: false }, 'grace_end 2026-01-08'],
    ['a payment before what else is due then', overdue(), { paysAt: START }, 'payment 2026-01-01'],
    [
      'after grace, the period',
      { ...overdue(), graceDowngradedAt: START },
      { dunningDays: [] },
      'period_end 2026-02-01',
    ],
    ['nothing for one that ended', { ...active, status: 'canceled' }, {}, null],
    ['nothing for one that waits', { ...active, status: 'incomplete' }, {}, null],
  ])('%s', (_what, subscription, given, expected) => {
    const due = nextDue(subscription, { ...agenda, ...given })
    expect(due === null ? null : `${due.kind} ${due.at.slice(0, 10)}`).toBe(expected)
  })

  test('LAW: told one by one, every day of a failed payment is told once, in order', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 0, max: 365 }), { maxLength: 8 }), (dunningDays) => {
        const told: number[] = []
        let toldThrough: Agenda['toldThrough'] = null
        for (;;) {
          const due = nextDue(
            { ...overdue(), graceEndsAt: null },
            { ...agenda, isLocal: false, dunningDays, toldThrough },
          )
          if (due === null) break
          told.push((Date.parse(due.at) - Date.parse(START)) / 86_400_000)
          toldThrough = due.at
        }
        expect(told).toEqual([...dunningDays].sort((a, b) => a - b))
      }),
    )
  })
})
