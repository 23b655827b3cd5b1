/** What other domains may know of the single sign-on of organizations. */
import { port } from '../port.js'
import type { Db, Tx } from '../store/db.js'

export interface SignOnPort {
  /** Those of the organizations that have an enabled identity provider of their own. */
  configuredAmong(db: Db, orgIds: readonly string[]): Promise<ReadonlySet<string>>
  /** Ends every sign-in of the person by an identity provider, until each is linked again. */
  forgetLinks(tx: Tx, userId: string): Promise<void>
}

export const signOnPort = port<SignOnPort>('sign-on')
