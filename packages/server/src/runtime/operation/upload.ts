/** Uploads: what an operation says about its file part, and what it is given of it. */

import type { Settings } from '../settings/load.js'

export interface UploadRule {
  /** The name of the file part. */
  readonly part: string
  /** The largest file, in bytes. */
  readonly bytesMax: number
  /** The largest that this server accepts, where a setting says so; at most `bytesMax`. */
  bytesMaxOf?(settings: Settings): number
  /** The longest that the body may take to arrive, in ms. */
  readonly arrivesMs: number
  /** The longest on this server, where a setting says so. */
  arrivesMsOf?(settings: Settings): number
  /** The content types that the part may declare. The content itself is for `prepare` to look at. */
  readonly contentTypes: readonly string[]
}

/** A file that was received whole, on the server's disk until the answer leaves. */
export interface UploadedFile {
  /** As the client named it, without folders; never a path to write to. */
  readonly name: string
  readonly contentType: string
  readonly bytes: number
  /** SHA-256 of the content, hex. */
  readonly sha256: string
  /** Where it lies until the answer leaves. */
  readonly path: string
}
