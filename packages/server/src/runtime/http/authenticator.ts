/** The interface that the HTTP layer needs from the identity domain, which it does not import. */
import type { Maybe } from '../maybe.js'
import type { ActorRecord, Authority, Principal } from '../operation/context.js'
import type { TenantSource } from '../operation/operation.js'
import { port } from '../port.js'
import type { SentHeaders } from './sent-headers.js'

/** The functions return a value directly when everything they need is cached, and may then throw synchronously. */
export interface Authenticator {
  /**
   * Returns whom the credential proves; anonymous without a credential.
   *
   * @param method The method of the request. A change that uses a cookie must prove that the user intended it.
   * @throws Refusal 401 for a credential that is malformed, expired, revoked or forged.
   */
  authenticate(headers: SentHeaders, method: string): Maybe<Principal>
  /**
   * Returns what the principal may do in the wanted organization.
   *
   * @param wanted The id or slug from the header or the path; null when there is none. For an operation without a
   * tenant it comes from the header, and the returned organization is the one that the evidence names.
   * @param header `x-org-id` in addition to a tenant from the path. It is checked and otherwise ignored (spec platform
   * 3.2).
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
   *
   * @throws Refusal `STEP_UP_REQUIRED` and related codes.
   */
  stepUp(principal: Principal, token: string | null, operationName: string): Promise<void>
}

export const authenticatorPort = port<Authenticator>('authenticator')
