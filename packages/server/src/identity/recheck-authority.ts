/** Whether the right with which a long-running answer began still holds. */
import { Refusal } from '../runtime/errors.js'
import type { Permission, Scope } from '../runtime/operation/access.js'
import type { Authority, PrepareContext, Principal } from '../runtime/operation/context.js'
import { identityOf } from './services.js'

type Asking = Pick<PrepareContext, 'authority' | 'request' | 'runtime'>

/** Checks like a new request: the credential, the membership, the permission; at most 5 s old (spec platform 3.7). */
export async function stillMay(context: Asking, permission: Permission): Promise<boolean> {
  const now = await stillIs(context)
  if (now === null) return false
  // A scope that allows the same has the name of the permission.
  return now.principal.kind === 'service'
    ? now.authority.scopes.has(permission as Scope)
    : now.authority.permissions.has(permission)
}

/** The principal and authority of the listener now; null when the credential or the membership has ended. */
export async function stillIs(
  context: Asking,
): Promise<{ readonly principal: Principal; readonly authority: Authority } | null> {
  const { headers } = context.request
  const orgId = context.authority.org?.id
  if (headers === undefined || orgId === undefined) return null
  const { authenticator } = identityOf(context)
  try {
    // The request itself was accepted; the stream that it opened only reads.
    const principal = await authenticator.authenticate(headers, 'GET')
    return { principal, authority: await authenticator.authority(principal, 'header', orgId, null) }
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}
