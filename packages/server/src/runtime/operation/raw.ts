/** Raw bodies: what an operation declares about its bytes, and what it gets of them. */
import type { BucketName } from './buckets.js'

/** The largest raw body of any operation, in bytes. */
export const RAW_BYTES_MAX = 1_048_576

export interface RawRule {
  /** The largest body, in bytes; at most `RAW_BYTES_MAX`. */
  readonly bytesMax: number
  /** How many requests this process handles at once. A further request is answered with 503, and the sender retries. */
  readonly atOnceMax: number
  /** How many of them may name the same value in this parameter of the path. Without it, one sender can take all. */
  readonly atOnceEach?: { readonly parameter: string; readonly max: number }
  /**
   * The bucket in which refused requests count by address (4xx except 409 and 429). Accepted requests count nowhere,
   * and none counts in `anonymous`: a service that delivers a burst is not an attacker.
   */
  readonly refusedIn: BucketName
  /** What the bytes are, for the documentation. */
  readonly description: string
  /** The media type in the documentation, such as `application/json`. Any type is accepted. */
  readonly mediaType: string
  /**
   * The answer, including refusals, for a browser that submitted a form: a whole page without scripts. Every text in it
   * is escaped.
   */
  page?(envelope: Envelope): string
}

/** An answer as JSON has it. */
export type Envelope =
  | { readonly success: true; readonly data: unknown }
  | { readonly success: false; readonly code: string; readonly message: string }

export interface RawBody {
  readonly bytes: Buffer
  /** In lower case, without parameters; empty when the request names none. */
  readonly mediaType: string
  readonly headers: Pick<Headers, 'get'>
}
