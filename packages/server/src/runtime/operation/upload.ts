/** Uploads: what an operation declares about its file part, and what it gets of it. */

import type { Settings } from '../settings/load.js'

export interface UploadRule {
  /** The name of the file part. */
  readonly part: string
  /** The largest file, in bytes. */
  readonly bytesMax: number
  /** The largest file that this server accepts, when a setting limits it; at most `bytesMax`. */
  bytesMaxOf?(settings: Settings): number
  /** The longest time in which the body must arrive, in ms. */
  readonly arrivesMs: number
  /** The longest time on this server, when a setting limits it. */
  arrivesMsOf?(settings: Settings): number
  /** The content types that the part may declare. `prepare` must check the content itself. */
  readonly contentTypes: readonly string[]
}

/** A file that was received completely. It stays on the server's disk until the answer is sent. */
export interface UploadedFile {
  /** The name that the client sent, without folders. Never use it as a path. */
  readonly name: string
  readonly contentType: string
  readonly bytes: number
  /** SHA-256 of the content, hex. */
  readonly sha256: string
  /** Where it lies until the answer leaves. */
  readonly path: string
}
