/** The buckets and the quota in which one request counts, in order, and the headers about them. */
import { Refusal } from '../errors.js'
import { type BucketName, bucketKey, type Limiter, type Taken } from '../operation/buckets.js'
import type { CallMeter, CountedCall } from '../operation/call-meter.js'
import type { Authority, Principal } from '../operation/context.js'

export class RequestLimits {
  readonly #limiter: Limiter | undefined
  readonly #ip: string
  readonly #meter: CallMeter | undefined
  #tightest: Taken | null = null
  #counted: CountedCall | null = null

  constructor(limiter: Limiter | undefined, ip: string | null, meter?: CallMeter) {
    this.#limiter = limiter
    this.#meter = meter
    this.#ip = ip === null ? 'unknown' : addressKey(ip)
  }

  /** The bucket of every caller without a valid credential. */
  anonymous(): void | Promise<void> {
    return this.#take('anonymous', this.#ip)
  }

  /** The operation's own bucket when it counts by address. It is checked before anything else is done for the request. */
  byAddress(bucket: BucketName | undefined): void | Promise<void> {
    if (bucket !== undefined && bucketKey(bucket) === 'ip') return this.#take(bucket, this.#ip)
  }

  /**
   * The general bucket of a caller with a valid credential. System administrators and service principals have their own
   * buckets, like all callers.
   */
  authenticated(principal: Principal, authority: Authority | null): void | Promise<void> {
    const isOfSystem = principal.kind === 'service' && principal.boundOrgId === null
    const tier = isOfSystem ? 'unlimited' : authority?.org?.tier
    return this.#take('authenticated', `${callerKey(principal)}@${authority?.org?.id ?? '-'}`, tier)
  }

  /** The operation's own bucket when it counts by caller. */
  byCaller(bucket: BucketName | undefined, principal: Principal, authority: Authority): void | Promise<void> {
    if (bucket === undefined) return
    switch (bucketKey(bucket)) {
      case 'user':
      case 'credential':
        return this.#take(bucket, callerKey(principal))
      case 'org':
        return this.#take(bucket, authority.org?.id ?? callerKey(principal))
      case 'user+org':
        return this.#take(bucket, `${callerKey(principal)}@${authority.org?.id ?? '-'}`)
    }
  }

  /** The account's quota of API calls. */
  apiCall(principal: Principal, authority: Authority): void | Promise<void> {
    const counted = this.#meter?.count(principal, authority) ?? null
    if (!(counted instanceof Promise)) {
      this.#counted = counted
      return
    }
    return counted.then((each) => {
      this.#counted = each
    })
  }

  /** A request that was refused for its credential or for a limit does not count as a call. */
  ended(status: number): void {
    // guard: a-request-without-an-answer-is-no-api-call
    if (status === 401 || status === 429) this.#counted?.takeBack()
  }

  /** Adds the headers of the bucket with the fewest requests left, and of the quota. */
  addHeaders(headers: Record<string, string>): void {
    Object.assign(headers, this.#counted?.headers())
    if (this.#tightest === null) return
    headers['ratelimit-limit'] = String(this.#tightest.limit)
    headers['ratelimit-remaining'] = String(this.#tightest.remaining)
    headers['ratelimit-reset'] = String(Math.ceil(this.#tightest.resetMs / 1000))
  }

  #take(bucket: BucketName, key: string, tier?: string): void | Promise<void> {
    const taken = this.#limiter?.take(bucket, key, tier)
    return taken instanceof Promise ? taken.then((each) => this.#see(each)) : this.#see(taken ?? null)
  }

  #see(taken: Taken | null): void {
    if (taken === null) return
    if (this.#tightest === null || !taken.allowed || taken.remaining < this.#tightest.remaining) this.#tightest = taken
    if (!taken.allowed) throw tooMany(taken)
  }
}

export function tooMany({ limit, resetMs }: Taken): Refusal {
  const seconds = Math.max(1, Math.ceil(resetMs / 1000))
  return new Refusal('RATE_LIMIT_EXCEEDED', `too many requests: try again in ${seconds} s`, {
    details: { limit, retryAfterSeconds: seconds },
    headers: { 'retry-after': String(seconds) },
  })
}

function callerKey(principal: Principal): string {
  switch (principal.kind) {
    case 'user':
      return `user:${principal.userId}`
    case 'service':
      return `service:${principal.clientId}`
    case 'anonymous':
      return 'anonymous'
  }
}

/** One household or host usually has a whole /64 of IPv6 addresses, so the /64 is counted. */
export function addressKey(ip: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1]
  if (mapped !== undefined) return mapped
  if (!ip.includes(':')) return ip
  const [head = '', tail] = ip.toLowerCase().split('%')[0]?.split('::') ?? []
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0')
  return `${[...left, ...zeros, ...right].slice(0, 4).join(':')}::/64`
}
