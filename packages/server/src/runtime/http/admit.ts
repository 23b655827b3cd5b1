/**
 * Decides who calls an operation and what they may do: limits by address, credential, tenant, limits by caller, access,
 * in this order. A step is asynchronous only when it has something to wait for.
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
    // Only refused requests are counted, and not as requests without a credential: the bytes of the request are the
    // credential.
  } else if (isOpen && operation.countsItself !== undefined) {
    // The request has a credential in another form than a bearer token, or counts only in its own bucket.
  } else if (isOpen) {
    // A stale token on a request that needs none, such as a refresh, is not a reason to refuse it.
    await limits.anonymous()
  } else {
    let proven: Principal
    try {
      const proving = options.authenticator.authenticate(headers, c.req.method)
      proven = proving instanceof Promise ? await proving : proving
    } catch (error) {
      // A request without a valid credential counts by its address, so that forged tokens cannot avoid the limits.
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
  const header = headers.get('x-org-id') ?? ofLink(c.req)
  const wanted = tenant.from === 'path' ? (c.req.param(tenant.name) ?? null) : header
  let authority: Authority
  try {
    const found = options.authenticator.authority(principal, tenant.from, wanted, header)
    authority = found instanceof Promise ? await found : found
  } catch (error) {
    // Requests that try out organizations count too.
    if (!isOpen) await limits.authenticated(principal, null)
    throw error
  }
  exchange.authority = authority
  const general = isOpen ? undefined : limits.authenticated(principal, authority)
  if (general !== undefined) await general
  // A member who only looks around in the console makes no API calls. The request limits still count these requests.
  // guard: looks-of-the-console-are-no-api-calls
  const looks = principal.kind === 'user' && principal.cookieName !== undefined && c.req.method === 'GET'
  if (isCounted && !looks && !(operation.kind === 'stream' && headers.get('last-event-id') !== null)) {
    const call = limits.apiCall(principal, authority)
    if (call !== undefined) await call
  }
  authorize(access, principal, authority, changes)
  if (principal.kind === 'user' && principal.mustChangePassword && !operation.duringPasswordChange) {
    throw insufficient('password-change', 'set your own password first: POST /auth/password/change')
  }
  const own = limits.byCaller(operation.rateLimit, principal, authority)
  if (own !== undefined) await own
  return authority
}

/**
 * The organization that `?org=` names, because a link to a file cannot have a header. Only reads accept it, and the
 * header takes precedence, so that a link cannot redirect a request that names its organization itself.
 */
function ofLink(req: Exchange['c']['req']): string | null {
  // guard: a-link-names-the-organization-of-reads-alone
  return req.method === 'GET' ? (req.query('org') ?? null) : null
}

/** Returned by `confirmation` when no step-up is required. */
export const NOT_ASKED: Confirm = async () => undefined

/** Makes sure that the step-up is checked once, no matter which step asks first, because the check uses up the token. */
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
