/** Raw bodies: what an operation says about the bytes that it takes, and what it is given of them. */
import type { BucketName } from './buckets.js'

/** The largest raw body of any operation, in bytes. */
export const RAW_BYTES_MAX = 1_048_576

export interface RawRule {
  /** The largest body, in bytes; at most `RAW_BYTES_MAX`. */
  readonly bytesMax: number
  /** Requests in hand at once, in this process; one more is answered 503, and the sender tries again. */
  readonly atOnceMax: number
  /**
   * Counts the requests that are refused for what they bring (4xx but 409 and 429), by address. Good ones count in nothing, and
   * none counts in `anonymous`: a service that delivers a burst is not an attacker.
   */
  readonly refusedIn: BucketName
  /** What the bytes are, for the documentation. */
  readonly description: string
  /** Such as `application/json`, for the documentation: any type is taken. */
  readonly mediaType: string
}

export interface RawBody {
  readonly bytes: Buffer
  /** In lower case, without parameters; empty when the request names none. */
  readonly mediaType: string
  readonly headers: Pick<Headers, 'get'>
}
