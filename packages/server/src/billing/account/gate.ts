/** Whether billing is on, and how its refusals look in the API. */
import type { Refusal as BillingRefusal, Result } from '@plumbline/billing-core'
import { ERROR_CATALOGUE, type ErrorCode, invalidField, Refusal } from '../../runtime/errors.js'
import type { Runtime } from '../../runtime/operation/context.js'

/** What every operation of billing may answer; `GET /billing/config` says whether it is on. */
export const BILLING_ERRORS = ['SERVICE_UNAVAILABLE'] as const satisfies readonly ErrorCode[]
export const ACCOUNT_WIDE = 'seats, rules and limits of an account reach over its teams'

/** @throws Refusal 503 while billing is off. */
export function requireBilling({ settings }: Pick<Runtime, 'settings'>): void {
  if (!settings.BILLING_ENABLED) throw new Refusal('SERVICE_UNAVAILABLE', 'billing is off: BILLING_ENABLED is `false`')
}

/**
 * For what a provider, or the browser of its customer, sends. 400 and not 409, because it counts as a refused request
 * of its address.
 *
 * @throws Refusal 400 where another provider charges, 503 while billing is off.
 */
export function requireSender(runtime: Pick<Runtime, 'settings'>, sender: 'card_provider' | 'marketplace'): void {
  requireBilling(runtime)
  const { BILLING_PROVIDER: provider } = runtime.settings
  if (provider === sender) return
  throw new Refusal(
    'VALIDATION_ERROR',
    `this address is for BILLING_PROVIDER=${sender}, and BILLING_PROVIDER of this server is \`${provider}\`: its operator sets the one through which it sells`,
    { details: { provider } },
  )
}

/**
 * Returns the value of a result.
 *
 * @throws Refusal with the code of the rules' refusal; its fields are below `at`.
 */
export function granted<T>(result: Result<T>, at = '/body'): T {
  if (result.ok) return result.value
  throw toRefusal(result.refusal, at)
}

export function toRefusal({ code, field, message, details }: BillingRefusal, at = '/body'): Refusal {
  if (code === 'VALIDATION_ERROR') return invalidField(`${at}/${field ?? ''}`, message)
  if (!(code in ERROR_CATALOGUE)) throw new TypeError(`billing refused with ${code}, which no operation declares`)
  return new Refusal(code as ErrorCode, message, details === undefined ? {} : { details: { ...details } })
}
