/** A blob store with what the process needs besides: a probe, and the removal of what unfinished writes left. */
import type { BlobStore } from '../blob-store.js'

export interface BlobBackend extends BlobStore {
  /** @throws when the store cannot be used. */
  ping(): Promise<void>
  /** Takes away what writes that never finished left before this instant. */
  tidy(beforeMs: number): Promise<void>
}
