/** A stored file as the answer of an operation. */
import type { Readable } from 'node:stream'
import type { ByteRange } from '../blob-store.js'

export interface ServedFile {
  /** The content type. */
  readonly media: string
  /** As its owner called it; any text. */
  readonly fileName: string
  /** Shown in a browser instead of saved: only what runs nothing. */
  readonly isInline: boolean
  readonly bytes: number
  readonly headers?: Readonly<Record<string, string>>
  /** Null when the bytes are not there. */
  open(range?: ByteRange): Promise<Readable | null>
}
