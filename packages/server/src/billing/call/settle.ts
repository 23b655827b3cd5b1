/** After the commit of a wish: asks the provider while the client waits, and leaves the rest to the job. */
import { Refusal } from '../../runtime/errors.js'
import type { Runtime, SettleContext } from '../../runtime/operation/context.js'
import type { SubscriptionAction } from '../account/writing.js'
import { NOT_SELLABLE } from '../provider/fault.js'
import type { CallRow } from '../provider-tables.js'
import { runCall } from './run.js'
import type { Settling } from './said.js'
import { findCall } from './wish.js'

/** How long a request waits for the provider. */
const WAITS_MS = 10_000

const CALLS = new WeakMap<object, string>()

/** The answer of a request, with the call that completes it. */
export function withCall<T extends object>(data: T, call: Pick<CallRow, 'id'> | null): T {
  if (call !== null) CALLS.set(data, call.id)
  return data
}

export const settlingOf = (context: SettleContext<SubscriptionAction>): Settling => ({
  runtime: context.runtime,
  read: context.read,
  write: (run) => context.write((writing) => run({ ...writing, runtime: context.runtime, actor: context.actor })),
})

/**
 * @returns The call in its current state; null for an answer that needs none.
 * @throws Refusal when the provider refused.
 */
export async function settleCall(context: SettleContext<SubscriptionAction>, data: object): Promise<CallRow | null> {
  const id = CALLS.get(data)
  if (id === undefined) return null
  await inTime(context.runtime, runCall(settlingOf(context), id))
  const call = await context.read((db) => findCall(db, id))
  if (call?.state === 'refused') throw refusalOf(call)
  return call
}

/** A call that takes longer continues without the client. */
async function inTime({ log }: Runtime, running: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, WAITS_MS)
  })
  const ended = running.then(
    () => undefined,
    (error: unknown) => {
      // The row is committed, so the job continues with it.
      log?.write('billing.call_failed', { error })
    },
  )
  await Promise.race([ended, late])
  clearTimeout(timer)
}

export function refusalOf({ answer }: Pick<CallRow, 'answer'>): Refusal {
  const { message = 'the provider refused', code = 'refused', isDeclined = false } = answer ?? {}
  const details = { providerCode: code }
  if (isDeclined)
    return new Refusal('PAYMENT_FAILED', `the payment was declined (${code}): nothing was changed`, { details })
  if (code === NOT_SELLABLE) return new Refusal('PRICE_NOT_CONFIGURED', message)
  return new Refusal('CONFLICT', `the provider refused: ${message}`, { details })
}
