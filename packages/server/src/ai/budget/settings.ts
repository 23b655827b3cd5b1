/** An organization's settings for generations: budget, previews, what is shared, what is stored. */
import { eq } from 'drizzle-orm'
import type { Db } from '../../runtime/store/db.js'
import { type AiSettingsRow, aiTables } from '../tables.js'

export const UNSET = {
  monthlyTokens: null,
  monthlyMicroUsd: null,
  previews: true,
  shareRules: true,
  keepPrompts: false,
} as const

export type AiSettings = Pick<
  AiSettingsRow,
  'monthlyTokens' | 'monthlyMicroUsd' | 'previews' | 'shareRules' | 'keepPrompts'
>

export async function findSettings(db: Db, orgId: string): Promise<AiSettingsRow | null> {
  const { aiSettings: t } = aiTables(db)
  const [row] = await db.select().from(t).where(eq(t.orgId, orgId))
  return row ?? null
}

export const settingsOf = async (db: Db, orgId: string): Promise<AiSettings> => (await findSettings(db, orgId)) ?? UNSET
