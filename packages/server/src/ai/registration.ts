/** What the generation domain provides for exports, purges, erasures and the rotation of the server's keys. */
import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { toIso, toIsoOrNull } from '../runtime/clock.js'
import type { DomainRegistration } from '../runtime/operation/registration.js'
import { exportOf, ownRows } from '../runtime/records/export.js'
import type { SecretBox } from '../runtime/secret-box.js'
import type { Tx } from '../runtime/store/db.js'
import { keyPurpose, serverKey } from './provider/keys.js'
import { PROVIDER_IDS } from './provider/providers.js'
import { aiTables } from './tables.js'

export const aiRegistration: DomainRegistration = {
  name: 'ai',
  ...exportOf(
    {
      'ai.keys': async (db, orgId, after) => {
        if (after !== '') return []
        const { aiKeys: t } = aiTables(db)
        const rows = await db.select().from(t).where(eq(t.orgId, orgId)).orderBy(asc(t.provider))
        return rows.map(({ provider, hint, updatedAtMs }) => ({
          key: provider,
          row: { provider, hint, updatedAt: toIso(updatedAtMs) },
        }))
      },
      'ai.settings': async (db, orgId, after) => {
        if (after !== '') return []
        const { aiSettings: t } = aiTables(db)
        const rows = await db.select().from(t).where(eq(t.orgId, orgId))
        return rows.map(({ orgId: key, updatedAtMs, ...row }) => ({
          key,
          row: { ...row, updatedAt: toIso(updatedAtMs) },
        }))
      },
      'ai.spend': async (db, orgId, after) => {
        if (after !== '') return []
        const { aiSpend: t } = aiTables(db)
        const rows = await db.select().from(t).where(eq(t.orgId, orgId)).orderBy(asc(t.month))
        return rows.map(({ orgId: _, month, ...row }) => ({ key: month, row: { month, ...row } }))
      },
      'ai.generations': async (db, orgId, after) =>
        (await ownRows(db, aiTables(db).aiGenerations, orgId, after)).map((row) => {
          const { id, kind, state, userId, provider, model, keySource, rounds, verdict, errorCode, promptHash } = row
          const { prompt, result, inputTokens, outputTokens, costMicroUsd } = row
          const facts = { id, kind, state, userId, provider, model, keySource, rounds, verdict, errorCode, promptHash }
          const used = { inputTokens, outputTokens, costMicroUsd }
          const times = { createdAt: toIso(row.createdAtMs), finishedAt: toIsoOrNull(row.finishedAtMs) }
          return { key: id, row: { ...facts, ...used, prompt, result, ...times } }
        }),
    },
    {
      'ai.keys': 'org:settings',
      'ai.settings': 'org:settings',
      'ai.spend': 'org:settings',
      'ai.generations': 'org:settings',
    },
  ),
  async purge(tx, orgId, rowsMax) {
    const { aiGenerations, aiKeys, aiSpend, aiSettings } = aiTables(tx)
    const some = tx
      .select({ id: aiGenerations.id })
      .from(aiGenerations)
      .where(eq(aiGenerations.orgId, orgId))
      .limit(rowsMax)
    const generations = await tx
      .delete(aiGenerations)
      .where(inArray(aiGenerations.id, some))
      .returning({ id: aiGenerations.id })
    if (generations.length > 0) return generations.length
    const months = await tx.delete(aiSpend).where(eq(aiSpend.orgId, orgId)).returning({ month: aiSpend.month })
    const keys = await tx.delete(aiKeys).where(eq(aiKeys.orgId, orgId)).returning({ provider: aiKeys.provider })
    const settings = await tx.delete(aiSettings).where(eq(aiSettings.orgId, orgId)).returning({ id: aiSettings.orgId })
    return months.length + keys.length + settings.length
  },
  async erase(tx, userId) {
    const { aiGenerations: t, aiKeys } = aiTables(tx)
    // The draft belongs to the organization; the person's prompt is erased with the person.
    await tx.update(t).set({ userId: null, prompt: null }).where(eq(t.userId, userId))
    await tx.update(aiKeys).set({ updatedBy: 'erased' }).where(eq(aiKeys.updatedBy, userId))
  },
  usage: {},
  async *blobs() {},
  offers: async (_db, { settings }) => ({ ai: PROVIDER_IDS.some((id) => serverKey(settings, id) !== null) }),
  reseal: resealKeys,
}

async function resealKeys(tx: Tx, box: SecretBox): Promise<number> {
  const { aiKeys: t } = aiTables(tx)
  const rows = await tx.select().from(t)
  for (const { orgId, provider, sealed: old } of rows) {
    const sealed = box.reseal(old, keyPurpose(orgId, provider))
    await tx
      .update(t)
      .set({ sealed: sql`${sealed}` })
      .where(and(eq(t.orgId, orgId), eq(t.provider, provider)))
  }
  return rows.length
}
