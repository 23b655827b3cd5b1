/**
 * Re-encrypts everything that is stored under `SECRET_ENCRYPTION_KEYS` with their first key. Afterwards the operator
 * can remove the other keys. What the server writes meanwhile is encrypted with the first key already, and is not
 * changed.
 */
import { and, eq } from 'drizzle-orm'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import { resealMails } from '../../runtime/mail/send.js'
import type { SecretBox } from '../../runtime/secret-box.js'
import type { Tx } from '../../runtime/store/db.js'
import { credentialTables } from '../credential/tables.js'
import { totpPurpose } from '../mfa/factor.js'
import { secretPurpose } from '../secret/rows.js'
import { identityOf } from '../services.js'
import { identityTables } from '../tables.js'
import { act, type Host } from './host.js'

/**
 * @returns how many secrets were re-encrypted: those of organizations, second factors, queued e-mails, and of each
 *   domain.
 */
export function rotateHostKeys(host: Host): Promise<number> {
  return act(host, async ({ tx, runtime, audit }) => {
    const { box } = identityOf({ runtime })
    let count =
      (await resealOrgSecrets(tx, box)) + (await resealFactors(tx, box)) + (await resealMails(tx, runtime.settings))
    for (const domain of runtime.domains) count += (await domain.reseal?.(tx, box)) ?? 0
    await audit('admin.keys.rotate', { affectedOrgId: SYSTEM_ORG_ID, details: { reason: `${count} secrets` } })
    return count
  })
}

async function resealOrgSecrets(tx: Tx, box: SecretBox): Promise<number> {
  const { orgSecrets: table } = identityTables(tx)
  const rows = await tx.select().from(table)
  for (const { id, orgId, name, sealed: old } of rows) {
    const sealed = box.reseal(old, secretPurpose(orgId, name))
    // The condition compares the old ciphertext, so that a value that was set since the read is not overwritten.
    await tx
      .update(table)
      .set({ sealed })
      .where(and(eq(table.id, id), eq(table.sealed, old)))
  }
  return rows.length
}

async function resealFactors(tx: Tx, box: SecretBox): Promise<number> {
  const { totpFactors: table } = credentialTables(tx)
  const rows = await tx.select().from(table)
  for (const { userId, sealedSecret: old } of rows) {
    const sealedSecret = box.reseal(old, totpPurpose(userId))
    await tx
      .update(table)
      .set({ sealedSecret })
      .where(and(eq(table.userId, userId), eq(table.sealedSecret, old)))
  }
  return rows.length
}
