/** A blob store with two functions that the process needs in addition: a probe, and the removal of unfinished writes. */
import type { BlobStore } from '../blob-store.js'

export interface BlobBackend extends BlobStore {
  /** @throws when the store cannot be used. */
  ping(): Promise<void>
  /** Removes what writes left that began before this instant and never finished. */
  tidy(beforeMs: number): Promise<void>
}
