/** Which sign-ins speak for a whole account. An identity provider vouches for one organization only. */
import { insufficient, type Refusal } from '../errors.js'
import type { Principal } from './context.js'

/** Whether an identity provider vouches for the session. */
export const isConfined = (principal: Principal): boolean =>
  principal.kind === 'user' && principal.sessionId !== null && principal.boundOrgId !== null

/** The refusal of a caller who cannot change the account itself. */
export const notOfAccount = (principal: Principal): Refusal =>
  insufficient(
    'permission',
    isConfined(principal)
      ? 'this session came from an identity provider and is valid only in its organization: sign in with your own password'
      : 'this needs a sign-in: a personal access token or an impersonation cannot do it',
    { required: [], mode: 'all' },
  )

/** @throws Refusal 403 for a session that is confined to an organization. */
export function refuseConfined(principal: Principal): void {
  if (isConfined(principal)) throw notOfAccount(principal)
}
