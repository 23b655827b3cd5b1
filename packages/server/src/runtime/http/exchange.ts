/**
 * The data that the steps of answering pass to each other: what is fixed for an operation, and what is known of one
 * request.
 */
import type { Context } from 'hono'
import type { Authority, Principal, RequestInfo } from '../operation/context.js'
import type { Operation } from '../operation/operation.js'
import type { deniedRecorder } from './denied.js'
import type { HttpOptions } from './options.js'
import type { RawSlots } from './raw-slots.js'
import type { InputReader } from './read-input.js'
import type { RequestLimits } from './request-limits.js'
import type { SentHeaders } from './sent-headers.js'
import type { StreamSlots } from './stream-slots.js'

/** What all operations share. */
export interface Shared {
  readonly options: HttpOptions
  readonly recordDenied: ReturnType<typeof deniedRecorder>
  readonly slots: StreamSlots
  readonly rawSlots: RawSlots
}

/** An operation with the data that is computed once for all of its requests. */
export interface Served<O extends Operation = Operation> extends Shared {
  readonly operation: O
  readonly readInput: InputReader
  /** The codes that it may refuse with. */
  readonly declared: ReadonlySet<string>
  readonly isOpen: boolean
  readonly isCounted: boolean
}

/** One request. `principal` and `authority` are set as they become known, for the error path. */
export interface Exchange {
  readonly c: Context
  readonly headers: SentHeaders
  readonly request: RequestInfo
  readonly limits: RequestLimits
  principal: Principal
  authority: Authority | null
}

/** Checks the step-up of the caller when the operation requires it. */
export type Confirm = () => Promise<void>

export const ANONYMOUS: Principal = { kind: 'anonymous' }

export const NOBODY: Authority = {
  org: null,
  role: null,
  isMember: false,
  isSuperAdmin: false,
  permissions: new Set<never>(),
  scopes: new Set<never>(),
}
