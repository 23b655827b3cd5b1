/** A request of a proof, before it is sent. */
import type { FormFile } from './files.js'

export interface ProofRequest {
  readonly method: string
  /** Below the base path, encoded, with the query. */
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
  /** An upload: the text fields of `body` and this file, as `multipart/form-data`. */
  readonly file?: FormFile | undefined
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}
