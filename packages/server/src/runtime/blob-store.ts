/**
 * Archives and attachments: bytes under a key, stored outside the database. Source: spec platform 10, 13
 * (`BLOB_STORE`).
 */
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
 * The server makes the keys: `<orgId>/<kind>/<uuid>`, from letters, digits, `-`, `_`, `.` and `/`, never from a name
 * that a user chose. A blob never changes: new content gets a new key. The sweep deletes blobs that no row names.
 */
export interface BlobStore {
  /**
   * Stores a blob. It is durable when the promise resolves.
   *
   * @throws Refusal 502 `UPSTREAM_ERROR` or 503 `SERVICE_UNAVAILABLE`.
   */
  put(key: string, content: Readable, bytes: number): Promise<void>
  /** Null for a blob that does not exist. */
  stat(key: string): Promise<BlobInfo | null>
  open(key: string, range?: ByteRange): Promise<Readable | null>
  /** Deletes a blob. A blob that does not exist is not an error. */
  delete(key: string): Promise<void>
  /** Lists the keys that begin with the prefix, for the sweep and for backups. */
  list(prefix: string): AsyncIterable<{ readonly key: string; readonly bytes: number; readonly modifiedAtMs: number }>
}
