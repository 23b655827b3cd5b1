/** The SDK of the card provider, which is loaded on first use, and how its errors are understood. */
import type Stripe from 'stripe'
import { ProviderFault } from '../provider/fault.js'
import type { CardSettings } from './settings.js'

export const TIMEOUT_MS = 10_000

export type Sdk = Stripe

/** @throws ProviderFault when the package is not installed. */
export async function openSdk(
  { secretKey, api }: Pick<CardSettings, 'secretKey' | 'api'>,
  timeoutMs = TIMEOUT_MS,
): Promise<Sdk> {
  let module: typeof import('stripe')
  try {
    module = await import('stripe')
  } catch (cause) {
    throw new ProviderFault('no_answer', 'the package `stripe` is not installed: npm install stripe', {
      code: 'sdk_missing',
      cause,
    })
  }
  return new module.default(secretKey, {
    maxNetworkRetries: 0,
    timeout: timeoutMs,
    telemetry: false,
    ...(api === null ? {} : { host: api.host, port: api.port, protocol: api.protocol }),
  })
}

export async function orNull<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked
  } catch (error) {
    if ((error as { statusCode?: unknown }).statusCode === 404) return null
    throw error
  }
}

const LOCKED_OUT = 'the card provider does not accept CARD_PROVIDER_SECRET_KEY for this'

/** The key is wrong or may not do this. An operator repairs that, and then the same request goes through. */
export const isLockedOut = (statusCode: number | undefined): boolean => statusCode === 401 || statusCode === 403

/** By the HTTP status, because the SDK's error classes are loaded only with the SDK. */
export function toFault(error: unknown): unknown {
  if (error instanceof ProviderFault) return error
  const { type, rawType, statusCode, code, message } = error as Partial<Stripe.errors.StripeError>
  if (typeof type !== 'string') return error
  const said = { code: code ?? type, cause: error }
  if (statusCode === undefined) return new ProviderFault('no_answer', 'the card provider did not answer', said)
  // guard: a-refused-key-refuses-no-call
  if (isLockedOut(statusCode)) return new ProviderFault('no_answer', LOCKED_OUT, { ...said, isLockedOut: true })
  if (statusCode === 409 || statusCode === 429) return new ProviderFault('no_answer', 'the card provider is busy', said)
  if (rawType === 'idempotency_error') return new ProviderFault('unknown', 'the key was used for another request', said)
  if (statusCode >= 500) return new ProviderFault('unknown', `the card provider failed with ${statusCode}`, said)
  const isDeclined = statusCode === 402
  return new ProviderFault('refused', message ?? `the card provider refused with ${statusCode}`, {
    ...said,
    isDeclined,
  })
}
