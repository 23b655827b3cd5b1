/** The answers of another protocol: data without the server's envelope, and errors in a shape of its own. */
import type { TSchema } from 'typebox'
import type { Refusal } from '../errors.js'

export interface Dialect {
  /** One word, for the documentation. */
  readonly name: string
  readonly media: string
  readonly errorSchema: TSchema
  errorOf(refusal: Refusal, requestId: string): unknown
}
