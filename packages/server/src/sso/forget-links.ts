/** Ends what an account can be entered by, when its person takes it back. */
import { eq } from 'drizzle-orm'
import type { Tx } from '../runtime/store/db.js'
import { ssoTables } from './tables.js'

export async function forgetLinks(tx: Tx, userId: string): Promise<void> {
  const { identityLinks: t } = ssoTables(tx)
  await tx.delete(t).where(eq(t.userId, userId))
}
