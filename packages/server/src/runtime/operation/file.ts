/** Operations whose answer is a stored file: its bytes, under its name and type, whole or in part. */
import type { Readable } from 'node:stream'
import type { ByteRange } from '../records/blobs.js'
import type { FileOperation, Input } from './operation.js'

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

export const file = <I extends Input>(definition: Omit<FileOperation<I>, 'kind' | 'output'>): FileOperation<I> => ({
  kind: 'file',
  output: null,
  ...definition,
})
