/** Who may see the limits and the use of an organization, and in which form. */
import { either, permission, scope, systemAdmin } from '../../runtime/operation/access.js'
import { type ReadContext, tenantId } from '../../runtime/operation/context.js'
import { readQuotaView } from './read.js'

/** People who may see quotas, and the services that report or reset use. */
export const mayRead = either(permission('quotas:read'), systemAdmin(), scope('quota:increment'), scope('quota:reset'))

export const ACCOUNT_WIDE = 'limits and use are those of the account'

export const LOOKING = 'the person who has used up a quota must be able to see it'

export const viewOf = ({ runtime, db, nowMs, ...context }: ReadContext) =>
  readQuotaView(runtime, db, tenantId({ runtime, nowMs, ...context }), nowMs)
