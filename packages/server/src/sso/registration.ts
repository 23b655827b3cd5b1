/** What the sign-on domain provides for exports, purges, erasures and the rotation of the server's keys. */
import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { toIso } from '../runtime/clock.js'
import type { DomainRegistration } from '../runtime/operation/registration.js'
import { countLive } from '../runtime/records/capacity.js'
import { exportOf, ownRows } from '../runtime/records/export.js'
import { purgeRows } from '../runtime/records/purge.js'
import type { SecretBox } from '../runtime/secret-box.js'
import type { Tx } from '../runtime/store/db.js'
import { domainRecord } from './domain/record.js'
import { providerRecord } from './provider/record.js'
import { secretPurpose } from './services.js'
import { socialProviders } from './social/catalogue.js'
import { ssoTables } from './tables.js'

export const ssoRegistration: DomainRegistration = {
  name: 'sso',
  ...exportOf(
    {
      'sso.providers': async (db, orgId, after) =>
        (await ownRows(db, ssoTables(db).identityProviders, orgId, after)).map((row) => {
          const { redirectUri: _, ...record } = providerRecord(row, '')
          return { key: row.id, row: record }
        }),
      'sso.domains': async (db, orgId, after) =>
        (await ownRows(db, ssoTables(db).idpDomains, orgId, after)).map((row) => ({
          key: row.id,
          row: domainRecord(row, row.checkedAtMs ?? row.createdAtMs),
        })),
      'sso.links': async (db, orgId, after) =>
        (await ownRows(db, ssoTables(db).identityLinks, orgId, after)).map((row) => {
          const { id, providerId, issuer, subject, userId, createdAtMs, lastUsedAtMs } = row
          const times = { createdAt: toIso(createdAtMs), lastUsedAt: toIso(lastUsedAtMs) }
          return { key: id, row: { id, providerId, issuer, subject, userId, ...times } }
        }),
    },
    { 'sso.providers': 'org:idp', 'sso.domains': 'org:idp', 'sso.links': 'org:idp' },
  ),
  async purge(tx, orgId, rowsMax) {
    const { identityProviders, idpDomains, identityLinks, authFlows, authGrants } = ssoTables(tx)
    // Flows and grants are few, and none are added after the organization is deleted, so they are deleted without
    // batches.
    const flows = await tx.delete(authFlows).where(eq(authFlows.orgId, orgId)).returning({ id: authFlows.orgId })
    const grants = await tx.delete(authGrants).where(eq(authGrants.orgId, orgId)).returning({ id: authGrants.orgId })
    const rows = await purgeRows(tx, [identityLinks, idpDomains, identityProviders], orgId, rowsMax)
    return rows + flows.length + grants.length
  },
  async erase(tx, userId) {
    const { identityProviders: t, identityLinks, authFlows, authGrants, socialFlows } = ssoTables(tx)
    await tx.delete(identityLinks).where(eq(identityLinks.userId, userId))
    await tx.delete(authFlows).where(eq(authFlows.userId, userId))
    await tx.delete(authGrants).where(eq(authGrants.userId, userId))
    await tx.delete(socialFlows).where(eq(socialFlows.userId, userId))
    await tx.update(t).set({ testedBy: 'erased' }).where(eq(t.testedBy, userId))
  },
  usage: {
    idpConfigs: countLive((db) => {
      const { identityProviders: t } = ssoTables(db)
      return { table: t, orgId: t.orgId, where: undefined }
    }),
  },
  async *blobs() {},
  offers: async (_db, { settings }) => ({ oauth: socialProviders(settings).length > 0 }),
  reseal: resealSecrets,
}

async function resealSecrets(tx: Tx, box: SecretBox): Promise<number> {
  const { identityProviders: t } = ssoTables(tx)
  const rows = await tx.select().from(t).where(isNotNull(t.sealedSecret))
  for (const { id, orgId, sealedSecret } of rows) {
    const sealed = box.reseal(sealedSecret ?? '', secretPurpose(id))
    await tx
      .update(t)
      .set({ sealedSecret: sql`${sealed}` })
      .where(and(eq(t.orgId, orgId), eq(t.id, id)))
  }
  return rows.length
}
