/**
 * Counts the requests of an account against its quota of API calls. It is asked before an operation runs and told how the
 * request ended; both only look into memory as a rule. Source: spec platform 12.3.
 */
import { port } from '../port.js'
import { isPublic } from './authorize.js'
import type { Authority, Principal } from './context.js'
import type { Operation } from './operation.js'

/** A request that was counted. */
export interface CountedCall {
  /** What the answer says about the quota; null where there is no limit. */
  headers(): Record<string, string> | null
  /** Takes the request back, when it ends as one that counts nothing. */
  takeBack(): void
}

export interface CallMeter {
  /**
   * Counts one request; null where it is not counted.
   * @throws Refusal 429 `QUOTA_EXCEEDED`; 503 when the limit is not known and cannot be read.
   */
  count(principal: Principal, authority: Authority): CountedCall | null | Promise<CountedCall | null>
  /** After a change of limits or counters: what is known of the account is read again. */
  forget(rootOrgId: string): void
}

/** Whether a person's request for it counts: what is public or belongs to no organization never does. */
export const isCountedCall = ({ access, tenant, uncounted }: Operation): boolean =>
  !isPublic(access) && tenant.from !== 'none' && uncounted === undefined

export const callMeterPort = port<CallMeter>('call meter')
