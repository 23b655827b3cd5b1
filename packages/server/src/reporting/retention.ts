/** How long events and facts of an account are kept, in days; −1 keeps them. */

import { DAY_MS } from '../runtime/clock.js'
import type { ReadContext, Runtime } from '../runtime/operation/context.js'
import type { Db } from '../runtime/store/db.js'

/** The longest that a report goes back, whatever is kept. */
export const WINDOW_DAYS_MAX = 730

export interface Retention {
  readonly eventDays: number
  readonly factDays: number
}

/** What the account of a request keeps. */
export async function retentionOf({ runtime }: Pick<ReadContext, 'runtime' | 'db' | 'authority'>): Promise<Retention> {
  return defaultRetention(runtime)
}

export const defaultRetention = ({ settings }: Pick<Runtime, 'settings'>): Retention => ({
  eventDays: settings.REPORT_EVENT_RETENTION_DAYS,
  factDays: settings.REPORT_RETENTION_DAYS,
})

/** What the account of an organization keeps. */
export const retentionOfOrg = async (_db: Db, runtime: Runtime, _orgId: string): Promise<Retention> =>
  defaultRetention(runtime)

/** The instant before which nothing is kept. */
export const keptFrom = (days: number, nowMs: number): number =>
  days === -1 ? Number.NEGATIVE_INFINITY : nowMs - days * DAY_MS
