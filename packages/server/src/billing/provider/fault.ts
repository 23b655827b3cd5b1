/** How a call to a provider can fail, classified by what is known of its effect. */

/**
 * - `no_answer`: nothing came back, the provider is busy, or it does not let us in: the same key again.
 * - `unknown`: the provider failed and remembers that under the key: read, then a new key.
 * - `refused`: the provider said no, and nothing changed.
 */
export type FaultKind = 'no_answer' | 'unknown' | 'refused'

/** The code of a refusal by us: what was asked for would not be charged as it is shown. */
export const NOT_SELLABLE = 'price_not_configured'

export class ProviderFault extends Error {
  readonly kind: FaultKind
  /** True when the payment was declined and nothing else was wrong. */
  readonly isDeclined: boolean
  /** True when the provider does not accept our credentials. */
  readonly isLockedOut: boolean
  /** The provider's code, such as `card_declined`. */
  readonly code: string

  constructor(kind: FaultKind, message: string, more: FaultMore = {}) {
    const { code = kind as string, isDeclined = false, isLockedOut = false, cause } = more
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'ProviderFault'
    this.kind = kind
    this.code = code
    this.isDeclined = isDeclined
    this.isLockedOut = isLockedOut
  }
}

interface FaultMore {
  readonly code?: string
  readonly isDeclined?: boolean
  readonly isLockedOut?: boolean
  readonly cause?: unknown
}
