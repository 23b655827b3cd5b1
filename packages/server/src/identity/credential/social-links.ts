/** Removes the external accounts that can sign a person in, where earlier credentials must end. */
import { eq } from 'drizzle-orm'
import type { Tx } from '../../runtime/store/db.js'
import { credentialTables } from './tables.js'

export async function dropSocialLinks(tx: Tx, userId: string): Promise<void> {
  const { socialLinks } = credentialTables(tx)
  await tx.delete(socialLinks).where(eq(socialLinks.userId, userId))
}
