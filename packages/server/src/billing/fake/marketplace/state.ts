/** The state of the fake marketplace: who bought what, and which usage it has accepted. */

/** The listing that the buyer used: an older one identifies a customer, a newer one a licence and the buyer's account. */
export type ListingKind = 'customer' | 'license'

export interface Entitled {
  readonly dimension: string
  readonly value: number | boolean | string
  readonly expiresAtMs: number | null
}

export interface Subscriber {
  readonly id: string
  readonly kind: ListingKind
  readonly customerIdentifier: string | null
  readonly licenseArn: string | null
  readonly account: string
  entitlements: Entitled[]
  isSubscribed: boolean
}

/** Usage of one hour in one dimension, as it will be billed. */
export interface Metered {
  readonly subscriber: string
  readonly dimension: string
  readonly hourMs: number
  readonly quantity: number
  readonly id: string
}

export interface State {
  readonly productCode: string
  readonly subscribers: Map<string, Subscriber>
  /** Registration tokens and when they end. */
  readonly tokens: Map<string, { readonly subscriber: string; readonly untilMs: number }>
  readonly metered: Map<string, Metered>
  /** Notices are sent here after an endpoint has confirmed. */
  readonly endpoints: Map<string, { readonly token: string; confirmed: boolean }>
  count: number
}

export const emptyState = (productCode: string): State => ({
  productCode,
  subscribers: new Map(),
  tokens: new Map(),
  metered: new Map(),
  endpoints: new Map(),
  count: 0,
})

export const nextId = (state: State): string => String(++state.count).padStart(8, '0')

export const meteredKey = (subscriber: string, dimension: string, hourMs: number): string =>
  `${subscriber} ${dimension} ${hourMs}`

export interface Sold {
  readonly kind: ListingKind
  readonly entitlements: readonly Entitled[]
}

const TOKEN_MS = 4 * 3_600_000

/** A buyer subscribes at the marketplace. */
export function sell(state: State, { kind, entitlements }: Sold): Subscriber {
  const id = nextId(state)
  const account = `11112222${id.slice(-4)}`
  const subscriber: Subscriber = {
    id,
    kind,
    customerIdentifier: kind === 'customer' ? `cust-${id}` : null,
    licenseArn: kind === 'license' ? `arn:aws:license-manager::${account}:license:l-${id}` : null,
    account,
    entitlements: [...entitlements],
    isSubscribed: true,
  }
  state.subscribers.set(id, subscriber)
  return subscriber
}

/** The token that the buyer's browser sends to the seller's page. */
export function registrationToken(state: State, subscriber: Subscriber, nowMs: number): string {
  const token = `tok-${nextId(state)}-${subscriber.id}`
  state.tokens.set(token, { subscriber: subscriber.id, untilMs: nowMs + TOKEN_MS })
  return token
}
