/**
 * Holds: credit that is set aside while an hour of metering is reported.
 *
 * A hold is not a row. It lowers what other drains may use until it is settled (`consume` with `holdKey`) or released.
 */
import type { Step } from '../explain/step.js'
import { type Cents, signedCents } from '../money/cents.js'
import { formatCents } from '../money/format.js'
import { accept, invalid, type Result, refuse } from '../refusal/refusal.js'
import { accountOf, type LedgerState, toBook } from './book.js'
import { available, begin, isRefused, newOutcome } from './outcome.js'
import type { LedgerOutcome } from './types.js'

export interface HoldCommand {
  readonly orgId: string
  readonly subscriptionId: string
  /** The key of the later consume row, `meter:<hour>`. */
  readonly key: string
  readonly cents: Cents
}

/**
 * Sets cents aside under a key. Refused with `DUPLICATE_ENTRY` for a key that is held already. An amount below 1 cent,
 * or above what is available, is refused too.
 */
export function hold(state: LedgerState, command: HoldCommand): Result<LedgerOutcome> {
  const begun = begin(state, command.orgId, command.subscriptionId, command.key)
  if (isRefused(begun)) return begun
  const { book, account } = begun
  if (book.holds.has(command.key)) {
    return refuse('DUPLICATE_ENTRY', `${command.key} is held already`, { field: 'key' })
  }
  const most = available(book, account)
  if (!Number.isSafeInteger(command.cents) || command.cents < 1 || command.cents > most) {
    return invalid('cents', `cents must be from 1 to ${most}, the credit available, not ${command.cents}`)
  }
  const { key, subscriptionId, cents } = command
  const text = `${formatCents(cents)} held as ${key}, ${formatCents(signedCents(most - cents))} left to use`
  return accept(
    newOutcome(state, command.orgId, account, {
      hold: { set: { key, subscriptionId, cents } },
      steps: [{ kind: 'note', text }],
    }),
  )
}

/** Ends a hold, so that its cents can be used again. Refused with `NOT_FOUND` for a key that holds nothing. */
export function release(
  state: LedgerState,
  command: { readonly orgId: string; readonly key: string },
): Result<LedgerOutcome> {
  const book = toBook(state)
  const held = book.holds.get(command.key)
  if (held === undefined) return refuse('NOT_FOUND', `nothing is held as ${command.key}`, { field: 'key' })
  const account = accountOf(book, held.subscriptionId)
  const text = `${formatCents(held.cents)} held as ${command.key} can be used again`
  const steps: readonly Step[] = [{ kind: 'note', text }]
  return accept(newOutcome(state, command.orgId, account, { hold: { release: command.key }, steps }))
}
