/**
 * Who calls an operation, and what they may do here: limits by address, credential, tenant, limits by caller, access, in
 * this order. Each step waits only where there is something to wait for.
 */
import { insufficient } from '../errors.js'
import { authorize } from '../operation/authorize.js'
import type { Authority, Principal } from '../operation/context.js'
import { isChange } from '../operation/operation.js'
import { type Confirm, type Exchange, NOBODY, type Served } from './exchange.js'

export async function admit({ operation, options, isOpen, isCounted }: Served, exchange: Exchange): Promise<Authority> {
  const { c, headers, limits } = exchange
  const { access, tenant } = operation
  // guard: a-stream-that-writes-is-a-change
  const changes = isChange(operation)
  const counted = limits.byAddress(operation.rateLimit)
  if (counted !== undefined) await counted
  if (isOpen && operation.kind === 'command' && operation.raw !== undefined) {
    // Counted by what is refused, and not as somebody without a credential: the bytes are one.
  } else if (isOpen && operation.countsItself !== undefined) {
    // By the credential that it brings in another form than a bearer token.
  } else if (isOpen) {
    // A stale token beside a request that needs none, such as a refresh, is not a reason to refuse it.
    await limits.anonymous()
  } else {
    let proven: Principal
    try {
      const proving = options.authenticator.authenticate(headers, c.req.method)
      proven = proving instanceof Promise ? await proving : proving
    } catch (error) {
      // Without a good credential a request counts by its address, so that forged tokens pass no limit.
      await limits.anonymous()
      throw error
    }
    if (proven.kind === 'anonymous') {
      await limits.anonymous()
      authorize(access, proven, NOBODY, changes)
    }
    exchange.principal = proven
  }
  const { principal } = exchange
  const header = headers.get('x-org-id')
  const wanted = tenant.from === 'path' ? (c.req.param(tenant.name) ?? null) : header
  let authority: Authority
  try {
    const found = options.authenticator.authority(principal, tenant.from, wanted, header)
    authority = found instanceof Promise ? await found : found
  } catch (error) {
    // Trying out organizations counts too.
    if (!isOpen) await limits.authenticated(principal, null)
    throw error
  }
  exchange.authority = authority
  const general = isOpen ? undefined : limits.authenticated(principal, authority)
  if (general !== undefined) await general
  // Somebody who looks around in the console calls nothing: the limits of requests still count it.
  // guard: looks-of-the-console-are-no-api-calls
  const looks = principal.kind === 'user' && principal.cookieName !== undefined && c.req.method === 'GET'
  if (isCounted && !looks && !(operation.kind === 'stream' && headers.get('last-event-id') !== null)) {
    const call = limits.apiCall(principal, authority)
    if (call !== undefined) await call
  }
  authorize(access, principal, authority, changes)
  if (principal.kind === 'user' && principal.mustChangePassword && !operation.duringPasswordChange) {
    throw insufficient('password-change', 'set a password of your own first: POST /auth/password/change')
  }
  const own = limits.byCaller(operation.rateLimit, principal, authority)
  if (own !== undefined) await own
  return authority
}

/** What `confirmation` answers where nothing is asked. */
export const NOT_ASKED: Confirm = async () => undefined

/** Asks once, no matter who asks first: a step-up token is used up by it. */
export function confirmation({ operation, options }: Served, { principal, headers }: Exchange): Confirm {
  const { stepUp } = operation.access
  // guard: a-confirmation-is-asked-for
  if (stepUp === false || (stepUp === 'except-services' && principal.kind === 'service')) {
    return NOT_ASKED
  }
  let asked: Promise<void> | undefined
  return () => {
    asked ??= options.authenticator.stepUp(principal, headers.get('x-step-up-token'), operation.name)
    return asked
  }
}
