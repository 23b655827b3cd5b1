/** What an operator provides to grant a discount to an account. */
import Type from 'typebox'
import { Refusal } from '../../runtime/errors.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import type { Db } from '../../runtime/store/db.js'
import { BILLING_ERRORS } from '../account/gate.js'
import { findLive } from '../account/subscription.js'
import type { SubscriptionRow } from '../tables.js'
import { REDEMPTION_ERRORS } from './redemption.js'

export const grantInput = { path: Type.Object({ id: Uuid }), body: strictObject({ targetOrgId: Uuid }) }
export const grantErrors = [...BILLING_ERRORS, ...REDEMPTION_ERRORS, 'NOT_FOUND', 'VALIDATION_ERROR'] as const

/** @throws Refusal 409 for an account without a live subscription */
export async function requireRedeemable(db: Db, rootOrgId: string): Promise<SubscriptionRow> {
  const row = await findLive(db, rootOrgId)
  if (row !== null) return row
  throw new Refusal('SUBSCRIPTION_NOT_REDEEMABLE', 'the account has no live subscription; it has to subscribe first')
}
