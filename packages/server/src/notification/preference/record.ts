/** What an organization is notified of, and how: one row, or the defaults (spec compliance 14). */
import { eq, type Placeholder } from 'drizzle-orm'
import Type, { type Static } from 'typebox'
import { toIsoOrNull } from '../../runtime/clock.js'
import { Instant, nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'
import type { Db } from '../../runtime/store/db.js'
import { prepared } from '../../runtime/store/prepared.js'
import { notificationTables, type PreferenceRow } from '../tables.js'

export const DIGEST_MODES = ['immediate', 'daily', 'weekly'] as const
export type DigestMode = (typeof DIGEST_MODES)[number]

export const PreferenceRecord = strictObject({
  orgId: Uuid,
  notifyOnBlock: Type.Boolean({ description: 'Always true: blocks are always notified' }),
  notifyOnWarning: Type.Boolean(),
  emailEnabled: Type.Boolean(),
  digestMode: Type.Enum([...DIGEST_MODES]),
  targetUsers: nullable(Type.Array(Uuid, { description: 'Who gets the e-mails; null for owner and administrators' })),
  webhookUrl: nullable(Type.String()),
  hasWebhookSecret: Type.Boolean(),
  lastDigestAt: nullable(Instant),
  updatedAt: nullable(Instant),
})

export const preferenceRecord = (row: PreferenceRow): Static<typeof PreferenceRecord> => ({
  orgId: row.orgId,
  notifyOnBlock: true,
  notifyOnWarning: row.notifyOnWarning,
  emailEnabled: row.emailEnabled,
  digestMode: modeOf(row),
  targetUsers: row.targetUsers === null ? null : [...row.targetUsers],
  webhookUrl: row.webhookUrl,
  hasWebhookSecret: row.sealedSecret !== null,
  lastDigestAt: toIsoOrNull(row.lastDigestAtMs),
  updatedAt: row.revision === 0 ? null : toIsoOrNull(row.updatedAtMs),
})

export const modeOf = ({ digestMode }: Pick<PreferenceRow, 'digestMode'>): DigestMode =>
  DIGEST_MODES.find((mode) => mode === digestMode) ?? 'immediate'

/** The preference that applies when nothing was set. */
export const defaultPreference = (orgId: string, nowMs: number): PreferenceRow => ({
  orgId,
  notifyOnWarning: false,
  emailEnabled: false,
  digestMode: 'immediate',
  modeSinceMs: nowMs,
  lastDigestAtMs: null,
  targetUsers: null,
  webhookUrl: null,
  sealedSecret: null,
  revision: 0,
  updatedBy: null,
  createdAtMs: nowMs,
  updatedAtMs: nowMs,
})

/** Every check that warns runs this query, so the statement is built once. */
const select = prepared((db, value: (name: 'orgId') => Placeholder) => {
  const { preferences: t } = notificationTables(db)
  return db
    .select()
    .from(t)
    .where(eq(t.orgId, value('orgId')))
})

export async function findPreference(db: Db, orgId: string): Promise<PreferenceRow | null> {
  const [row] = await select(db, { orgId })
  return row ?? null
}

/** Whether the organization wants notifications of warnings. */
export const wantsWarnings = async (db: Db, orgId: string): Promise<boolean> =>
  (await findPreference(db, orgId))?.notifyOnWarning ?? false

/** The associated data that is authenticated with the encrypted secret. */
export const webhookSecretPurpose = (orgId: string): string => `webhook-secret\n${orgId}`
