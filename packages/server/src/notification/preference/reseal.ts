/** Re-encrypts webhook secrets with the new key, for the rotation of `SECRET_ENCRYPTION_KEYS`. */
import { and, eq, isNotNull } from 'drizzle-orm'
import type { SecretBox } from '../../runtime/secret-box.js'
import type { Tx } from '../../runtime/store/db.js'
import { notificationTables } from '../tables.js'
import { webhookSecretPurpose } from './record.js'

export async function resealWebhookSecrets(tx: Tx, box: SecretBox): Promise<number> {
  const { preferences: t } = notificationTables(tx)
  const rows = await tx.select({ orgId: t.orgId, sealed: t.sealedSecret }).from(t).where(isNotNull(t.sealedSecret))
  for (const { orgId, sealed } of rows) {
    if (sealed === null) continue
    const sealedSecret = box.reseal(sealed, webhookSecretPurpose(orgId))
    // The condition compares the old ciphertext, so that a secret that was set since the read is not overwritten.
    await tx
      .update(t)
      .set({ sealedSecret })
      .where(and(eq(t.orgId, orgId), eq(t.sealedSecret, sealed)))
  }
  return rows.length
}
