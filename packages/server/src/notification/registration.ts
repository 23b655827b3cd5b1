/** What this domain provides for exports, purges, erasures and the rotation of keys (spec platform 27). */
import { and, asc, eq, gt, isNotNull } from 'drizzle-orm'
import type { DomainRegistration } from '../runtime/operation/registration.js'
import { behind, exportOf, type ReadSection } from '../runtime/records/export.js'
import { purgeRows } from '../runtime/records/purge.js'
import type { Tx } from '../runtime/store/db.js'
import { logEntry, selectLog } from './notification-log/list.js'
import { preferenceRecord } from './preference/record.js'
import { resealWebhookSecrets } from './preference/reseal.js'
import { notificationTables } from './tables.js'

const LOG_PAGE = 500

/** The section names match exports that were written before the domain had its own folder. */
const SECTIONS = {
  async 'compliance.notificationPreferences'(db, orgId, after) {
    const { preferences: t } = notificationTables(db)
    const rows = await db
      .select()
      .from(t)
      .where(and(eq(t.orgId, orgId), gt(t.orgId, after)))
    return rows.map((row) => ({ key: orgId, row: preferenceRecord(row) }))
  },
  async 'compliance.notificationLog'(db, orgId, after) {
    const { attempts: t } = notificationTables(db)
    const rows = await selectLog(db)
      .where(and(eq(t.orgId, orgId), behind([t.createdAtMs, t.id], after)))
      .orderBy(asc(t.createdAtMs), asc(t.id))
      .limit(LOG_PAGE)
    return rows.map((joined) => {
      const { createdAtMs, id } = joined.attempt
      return { key: JSON.stringify([createdAtMs, id]), row: logEntry(joined) }
    })
  },
} satisfies Record<string, ReadSection>

export const notificationRegistration: DomainRegistration = {
  name: 'notification',
  ...exportOf(SECTIONS, {
    'compliance.notificationPreferences': 'compliance:read',
    'compliance.notificationLog': 'compliance:read',
  }),
  async purge(tx, orgId, rowsMax) {
    const { preferences, notifications, deliveries, attempts } = notificationTables(tx)
    const gone = await purgeRows(tx, [attempts, deliveries, notifications], orgId, rowsMax)
    if (gone > 0) return gone
    return (await tx.delete(preferences).where(eq(preferences.orgId, orgId)).returning()).length
  },
  erase: forgetRecipient,
  reseal: resealWebhookSecrets,
  usage: {},
  async *blobs() {},
}

/** An empty list means the administrators. */
async function forgetRecipient(tx: Tx, userId: string): Promise<void> {
  const { preferences: t } = notificationTables(tx)
  await tx.update(t).set({ updatedBy: null }).where(eq(t.updatedBy, userId))
  const rows = await tx.select().from(t).where(isNotNull(t.targetUsers))
  for (const { orgId, targetUsers } of rows) {
    if (!targetUsers?.includes(userId)) continue
    const left = targetUsers.filter((each) => each !== userId)
    await tx
      .update(t)
      .set({ targetUsers: left.length === 0 ? null : left })
      .where(eq(t.orgId, orgId))
  }
}
