/** The answer of `/organization/ai-config`: hints of keys, the budget and its usage, and the sharing settings. */
import { asc, eq } from 'drizzle-orm'
import Type, { type Static } from 'typebox'
import { toIso } from '../../runtime/clock.js'
import { Instant, nullable, strictObject } from '../../runtime/operation/schema.js'
import type { Db } from '../../runtime/store/db.js'
import { monthOf, resetAtMs, spendOf } from '../budget/budget.js'
import { findSettings, UNSET } from '../budget/settings.js'
import { aiTables } from '../tables.js'

const Part = strictObject({ spent: Type.Integer({ minimum: 0 }), held: Type.Integer({ minimum: 0 }) })

export const ConfigRecord = strictObject({
  keys: Type.Array(
    strictObject({
      provider: Type.String(),
      hint: Type.String({ description: 'The last four characters' }),
      updatedAt: Instant,
      updatedBy: Type.String(),
    }),
  ),
  monthlyTokens: nullable(Type.Integer({ description: 'Null for no limit' })),
  monthlyMicroUsd: nullable(Type.Integer({ description: 'Millionths of a dollar; null for no limit' })),
  previews: Type.Boolean({ description: 'Whether a stream shows parts before they are checked' }),
  shareRules: Type.Boolean({ description: 'Whether a model is told which rules refuse its draft' }),
  keepPrompts: Type.Boolean({ description: 'Whether prompts are stored with their generations' }),
  spend: strictObject({ month: Type.String(), tokens: Part, microUsd: Part, resetAt: Instant }),
  revision: Type.Integer({ minimum: 0 }),
})

export async function configOf(db: Db, orgId: string, nowMs: number): Promise<Static<typeof ConfigRecord>> {
  const { aiKeys: t } = aiTables(db)
  // guard: keys-of-the-own-organization
  const keys = await db.select().from(t).where(eq(t.orgId, orgId)).orderBy(asc(t.provider))
  const found = await findSettings(db, orgId)
  const { monthlyTokens, monthlyMicroUsd, previews, shareRules, keepPrompts } = found ?? UNSET
  const month = monthOf(nowMs)
  return {
    keys: keys.map(({ provider, hint, updatedAtMs, updatedBy }) => ({
      provider,
      hint,
      updatedAt: toIso(updatedAtMs),
      updatedBy,
    })),
    monthlyTokens,
    monthlyMicroUsd,
    previews,
    shareRules,
    keepPrompts,
    spend: { month, ...(await spendOf(db, orgId, month)), resetAt: toIso(resetAtMs(nowMs)) },
    revision: found?.revision ?? 0,
  }
}
