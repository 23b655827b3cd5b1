/**
 * Counts the requests of an account against its quota of API calls. It is called before an operation runs and after the
 * request ended. Both calls normally use memory only. Source: spec platform 12.3.
 */
import { port } from '../port.js'
import { isPublic } from './authorize.js'
import type { Authority, Principal } from './context.js'
import type { Operation } from './operation.js'

/** A request that was counted. */
export interface CountedCall {
  /** The headers about the quota; null when there is no limit. */
  headers(): Record<string, string> | null
  /** Removes the request from the count, when it ended in a way that is not counted. */
  takeBack(): void
}

export interface CallMeter {
  /**
   * Counts one request; returns null when it is not counted.
   *
   * @throws Refusal 429 `QUOTA_EXCEEDED`; 503 when the limit is not cached and cannot be read.
   */
  count(principal: Principal, authority: Authority): CountedCall | null | Promise<CountedCall | null>
  /** Clears what is cached of the account, after its limits or counters changed. */
  forget(rootOrgId: string): void
}

/**
 * Whether a request of a person for this operation counts. Public operations, and operations without an organization,
 * never count.
 */
export const isCountedCall = ({ access, tenant, uncounted }: Operation): boolean =>
  !isPublic(access) && tenant.from !== 'none' && uncounted === undefined

export const callMeterPort = port<CallMeter>('call meter')
