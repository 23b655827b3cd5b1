/** Accounts elsewhere that sign a person in end where what was before must not let anybody in. */
import { eq } from 'drizzle-orm'
import type { Tx } from '../../runtime/store/db.js'
import { credentialTables } from './tables.js'

export async function dropSocialLinks(tx: Tx, userId: string): Promise<void> {
  const { socialLinks } = credentialTables(tx)
  await tx.delete(socialLinks).where(eq(socialLinks.userId, userId))
}
