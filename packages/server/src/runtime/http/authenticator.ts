/** What the HTTP floor asks of the identity domain, without knowing it. */
import type { Maybe } from '../maybe.js'
import type { ActorRecord, Authority, Principal } from '../operation/context.js'
import type { TenantSource } from '../operation/operation.js'
import { port } from '../port.js'
import type { SentHeaders } from './sent-headers.js'

/** Nothing of it is a promise where everything that it needs is remembered; what throws may throw at once. */
export interface Authenticator {
  /**
   * Who the credential proves; anonymous without one.
   * @param method of the request: what changes something by cookie has to prove that it is meant.
   * @throws Refusal 401 for a credential that is malformed, expired, revoked or forged.
   */
  authenticate(headers: SentHeaders, method: string): Maybe<Principal>
  /**
   * What the principal may do in the wanted organization.
   * @param wanted the id or slug from the header or the path, null when there is none. For an operation without a tenant
   *   it is the header, and the organization of the answer is the one that its evidence names.
   * @param header `x-org-id` beside a tenant from the path: checked, and otherwise ignored (spec platform 3.2).
   * @throws Refusal 403 `ORG_MISMATCH` for a header, 404 for a path that the principal has no access to.
   */
  authority(
    principal: Principal,
    source: TenantSource['from'],
    wanted: string | null,
    header?: string | null,
  ): Maybe<Authority>
  actor(principal: Principal, authority: Authority): Maybe<ActorRecord>
  /**
   * Uses up a step-up token.
   * @throws Refusal `STEP_UP_REQUIRED` and its siblings.
   */
  stepUp(principal: Principal, token: string | null, operationName: string): Promise<void>
}

export const authenticatorPort = port<Authenticator>('authenticator')
