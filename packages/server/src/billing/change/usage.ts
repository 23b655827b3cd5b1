/** The account's usage of what a plan limits: seats, plugins, pipelines. */
import type { Usage } from '@plumbline/billing-core'
import { countSeats } from '../../identity/index.js'
import { accountOrgIds, countUsed } from '../../quota/index.js'
import type { Runtime } from '../../runtime/operation/context.js'
import type { Db } from '../../runtime/store/db.js'

export async function usageOf(
  { domains }: Pick<Runtime, 'domains'>,
  db: Db,
  rootOrgId: string,
  nowMs: number,
): Promise<Usage> {
  const orgIds = await accountOrgIds(db, rootOrgId)
  const { used: seats } = await countSeats(db, rootOrgId, nowMs)
  const plugins = await countUsed(domains, db, orgIds, 'plugins')
  return { seats, plugins, pipelines: await countUsed(domains, db, orgIds, 'pipelines') }
}
