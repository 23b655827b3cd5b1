/** A stored file as the answer of an operation. */
import type { Readable } from 'node:stream'
import type { ByteRange } from '../blob-store.js'

export interface ServedFile {
  /** The content type. */
  readonly media: string
  /** The name that its owner gave it; any text. */
  readonly fileName: string
  /** Shown in the browser instead of saved. Set it only for content that cannot run. */
  readonly isInline: boolean
  readonly bytes: number
  readonly headers?: Readonly<Record<string, string>>
  /** Null when the bytes do not exist. */
  open(range?: ByteRange): Promise<Readable | null>
}
