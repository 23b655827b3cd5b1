/** Whether the right with which a long answer began still holds. */
import { Refusal } from '../runtime/errors.js'
import type { Permission, Scope } from '../runtime/operation/access.js'
import type { StreamContext } from '../runtime/operation/context.js'
import { identityOf } from './services.js'

/** Asks as a new request would: the credential, the membership, the permission; at most 5 s old (spec platform 3.7). */
export async function stillMay(context: StreamContext, permission: Permission): Promise<boolean> {
  const { headers } = context.request
  const orgId = context.authority.org?.id
  if (headers === undefined || orgId === undefined) return false
  const { authenticator } = identityOf(context)
  try {
    // The request itself was let in; what it began goes on reading.
    const principal = await authenticator.authenticate(headers, 'GET')
    const authority = await authenticator.authority(principal, 'header', orgId, null)
    // A scope that opens the same door has the name of the permission.
    return principal.kind === 'service'
      ? authority.scopes.has(permission as Scope)
      : authority.permissions.has(permission)
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}
