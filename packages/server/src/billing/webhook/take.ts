/**
 * Accepts a delivery that is signed and ours, no matter who sent it. Its claim is committed first, and its effect
 * follows under the fence of the claim. A delivery that was accepted before is answered as such. For one that another
 * process is handling, the sender is asked to send it again.
 */
import Type from 'typebox'
import { Refusal } from '../../runtime/errors.js'
import {
  changed,
  type Outcome,
  type SettleContext,
  unchanged,
  type WriteContext,
} from '../../runtime/operation/context.js'
import type { SubscriptionAction } from '../account/writing.js'
import type { DeliveryRow } from '../provider-tables.js'
import { claimNew, type Told } from './delivery.js'
import { handleOrKeep } from './keep.js'

/** The common fields of every answer to a delivery. */
export const takenFields = {
  received: Type.Literal(true),
  duplicate: Type.Optional(Type.Literal(true)),
  effect: Type.Optional(Type.String()),
}

interface Taken {
  received: true
  duplicate?: true
  effect?: string
}

const ACTORS = { card_provider: 'service:card-provider', marketplace: 'service:marketplace' } as const

const HANDS = new WeakMap<object, DeliveryRow>()

/** @throws Refusal 409 while another process handles it */
export async function takeDelivery(context: WriteContext, told: Told, text: string): Promise<Outcome<Taken>> {
  const claimed = await claimNew(context, told, text)
  if (claimed.kind === 'duplicate') return unchanged({ received: true, duplicate: true })
  if (claimed.kind === 'elsewhere') {
    throw new Refusal('CONFLICT', 'the delivery is being processed: send it again', { headers: { 'retry-after': '5' } })
  }
  const data: Taken = { received: true }
  HANDS.set(data, claimed.row)
  return changed(data)
}

/** After the commit of the claim: carries out the effect. */
export async function endTaken<T extends Taken>(context: SettleContext<SubscriptionAction>, data: T): Promise<T> {
  const row = HANDS.get(data)
  if (row === undefined) return data
  const actor = { id: ACTORS[row.source as Told['source']], email: null, role: null, impersonatorId: null }
  return { ...data, effect: await handleOrKeep({ ...context, actor }, row) }
}
