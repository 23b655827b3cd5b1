/**
 * Identifies what a preview was computed from: the version of the account and the second. A change that names it costs
 * what was shown, for a quarter of an hour and while nothing else changes.
 */
import { eq, type Placeholder } from 'drizzle-orm'
import Type from 'typebox'
import { Refusal } from '../../runtime/errors.js'
import type { Db } from '../../runtime/store/db.js'
import { prepared } from '../../runtime/store/prepared.js'
import { billingTables, type SubscriptionRow } from '../tables.js'

const VALID_MS = 15 * 60_000
export const PreviewToken = Type.String({
  pattern: '^v[0-9]{1,15}-[0-9]{13}$',
  'x-says': 'must be the `previewToken` of a preview',
  description: 'Token of a preview: the change costs what the preview showed, or is refused',
})

async function versionOf(db: Db, rootOrgId: string): Promise<number> {
  const [row] = await versions(db, { rootOrgId })
  return row?.version ?? 0
}

const versions = prepared((db, value: (name: 'rootOrgId') => Placeholder) => {
  const { billingAccounts: t } = billingTables(db)
  return db
    .select({ version: t.version })
    .from(t)
    .where(eq(t.orgId, value('rootOrgId')))
})

export const previewTokenOf = async (db: Db, rootOrgId: string, atMs: number): Promise<string> =>
  `v${await versionOf(db, rootOrgId)}-${atMs}`

/**
 * Returns the instant for which the change is computed: now, or that of the preview.
 *
 * @throws Refusal 409 `PREVIEW_STALE`, also for a time that no preview can have had.
 */
export async function momentOf(
  db: Db,
  row: SubscriptionRow,
  token: string | undefined,
  nowMs: number,
): Promise<number> {
  if (token === undefined) return nowMs
  const [version, atMs] = token.slice(1).split('-').map(Number) as [number, number]
  // A provider whose clock is ahead begins a period before it is the time for it here.
  const isOfPeriod = atMs >= row.currentPeriodStartMs || row.currentPeriodStartMs > nowMs
  const isRecent = atMs <= nowMs && atMs >= nowMs - VALID_MS && isOfPeriod
  if (isRecent && version === (await versionOf(db, row.orgId))) return atMs
  throw new Refusal(
    'PREVIEW_STALE',
    'the account changed since the preview, or it is older than 15 minutes: preview again',
  )
}
