/**
 * What `GET /events` reports. Each domain registers sources, and each source says what changed since a mark that it
 * returned before.
 *
 * A mark is text that only its source reads. It encodes the state itself and not a place in a log, so a client that
 * comes back after any time learns of everything that is different by then.
 */

import type { Db } from '../store/db.js'
import type { Access } from './access.js'

export interface Changed {
  readonly mark: string
  /** What changed since the given mark, such as `compliance.rule`; empty for the first mark. */
  readonly topics: readonly string[]
}

export interface ChangeSource {
  /** The name of the source in the marks that clients send back. */
  readonly name: string
  /** Who is notified of a topic, checked again for each event; undefined for every member. */
  readonly access: (topic: string) => Access | undefined
  /**
   * Reads along indexes only, however much data there is.
   *
   * @param mark Null returns only the current mark.
   */
  look(db: Db, orgId: string, mark: string | null): Promise<Changed>
}
