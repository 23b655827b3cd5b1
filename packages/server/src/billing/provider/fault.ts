/** How a call to a provider can fail, classified by what is known of its effect. */

/**
 * - `no_answer`: nothing came back, or the provider is busy: the same key again.
 * - `unknown`: the provider failed and remembers that under the key: read, then a new key.
 * - `refused`: the provider said no, and nothing changed.
 */
export type FaultKind = 'no_answer' | 'unknown' | 'refused'

export class ProviderFault extends Error {
  readonly kind: FaultKind
  /** True when the payment was declined and nothing else was wrong. */
  readonly isDeclined: boolean
  /** The provider's code, such as `card_declined`. */
  readonly code: string

  constructor(kind: FaultKind, message: string, { code = kind as string, isDeclined = false, cause }: FaultMore = {}) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'ProviderFault'
    this.kind = kind
    this.code = code
    this.isDeclined = isDeclined
  }
}

interface FaultMore {
  readonly code?: string
  readonly isDeclined?: boolean
  readonly cause?: unknown
}
