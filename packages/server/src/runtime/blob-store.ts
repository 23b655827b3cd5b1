/** Archives and attachments: bytes under a key, beside the database. Source: spec platform 10, 13 (`BLOB_STORE`). */
import type { Readable } from 'node:stream'

export interface BlobInfo {
  readonly bytes: number
}

export interface ByteRange {
  readonly first: number
  /** Inclusive. */
  readonly last: number
}

/**
 * Keys are made by the server: `<orgId>/<kind>/<uuid>`, letters, digits, `-`, `_`, `.` and `/`; never a name of a user's. A
 * blob is never changed: another content has another key. One that no row names is taken away by the sweep.
 */
export interface BlobStore {
  /** Durable when it returns. @throws Refusal 502 `UPSTREAM_ERROR` or 503 `SERVICE_UNAVAILABLE`. */
  put(key: string, content: Readable, bytes: number): Promise<void>
  /** Null for a blob that is not there. */
  stat(key: string): Promise<BlobInfo | null>
  open(key: string, range?: ByteRange): Promise<Readable | null>
  /** A blob that is not there is none to delete. */
  delete(key: string): Promise<void>
  /** Keys that begin so, for the sweep and for backups. */
  list(prefix: string): AsyncIterable<{ readonly key: string; readonly bytes: number; readonly modifiedAtMs: number }>
}
