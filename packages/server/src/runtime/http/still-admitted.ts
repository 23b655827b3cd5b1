/**
 * A long upload or download outlives the moment at which the caller was admitted. A download ends when its reader loses a
 * right, and an upload is carried out with the rights that the caller has once it arrived.
 */
import { Refusal } from '../errors.js'
import { authorize } from '../operation/authorize.js'
import type { Authority, Principal } from '../operation/context.js'
import type { StreamEvent } from '../operation/operation.js'
import type { Served } from './exchange.js'
import type { Call } from './execute.js'
import type { SentHeaders } from './sent-headers.js'

/** Rights end within five seconds (spec platform 3.7); what is known of them is up to two seconds old. */
const LOOK_EVERY_MS = 2000

/** @throws Refusal when the credential, the membership or a permission ended, with which the connection breaks. */
export async function* whileAdmitted(
  served: Served,
  call: Call,
  headers: SentHeaders,
  events: AsyncIterable<StreamEvent>,
): AsyncGenerator<StreamEvent> {
  const { clock } = call.runtime
  let lookedAtMs = clock.now()
  for await (const event of events) {
    // guard: a-download-ends-with-the-right-to-it
    if (Math.abs(clock.now() - lookedAtMs) >= LOOK_EVERY_MS) {
      await checkAdmitted(served, call, headers)
      lookedAtMs = clock.now()
    }
    yield event
  }
}

/** @throws Refusal as `admittedNow`, and when a permission was withdrawn. */
async function checkAdmitted(served: Served, call: Call, headers: SentHeaders): Promise<void> {
  const { authority } = await admittedNow(served, call, headers, false)
  // A file may contain sections that need further permissions.
  if (!holdsAll(authority, call.authority)) {
    throw new Refusal(
      'INSUFFICIENT_PERMISSIONS',
      'a permission was withdrawn while the file was sent: nothing was stored',
    )
  }
}

/** @throws Refusal when the credential, the membership or the right to this operation ended. */
export async function admittedNow(
  { operation, options }: Served,
  call: Call,
  headers: SentHeaders,
  changes: boolean,
): Promise<Call> {
  const { access, tenant } = operation
  const principal = await principalNow(options.authenticator, call.principal, headers)
  const authority = await options.authenticator.authority(principal, tenant.from, call.authority.org?.id ?? null, null)
  authorize(access, principal, authority, changes)
  return { ...call, principal, authority, nowMs: call.runtime.clock.now() }
}

/** A token that expires ends no transfer; a session that is revoked does. */
async function principalNow(
  authenticator: Served['options']['authenticator'],
  before: Principal,
  headers: SentHeaders,
): Promise<Principal> {
  try {
    // The request was accepted as it came; what is left of it only reads.
    return await authenticator.authenticate(headers, 'GET')
  } catch (error) {
    if (error instanceof Refusal && error.code === 'TOKEN_EXPIRED') return before
    throw error
  }
}

function holdsAll(now: Authority, before: Authority): boolean {
  const { permissions, scopes } = before
  return (
    [...permissions].every((name) => now.permissions.has(name)) && [...scopes].every((name) => now.scopes.has(name))
  )
}
