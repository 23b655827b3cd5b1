/** How many commits of SQLite carried how many operations. The store counts them, and each scrape adds what is new. */
import type { Store } from '../store/db.js'
import type { SqliteStore } from '../store/sqlite.js'
import type { ProcessMetrics } from './metrics.js'

const NAMES = {
  groups: 'store_groups_total',
  operations: 'store_operations_total',
  lostGroups: 'store_lost_groups_total',
} as const

export function collectStoreMetrics(metrics: ProcessMetrics, store: Store | SqliteStore): void {
  // PostgreSQL groups commits by itself, and has its own metrics.
  if (!('commits' in store)) return
  const { commits } = store
  const counted = { groups: 0, operations: 0, lostGroups: 0 }
  metrics.onScrape(() => {
    for (const key of ['groups', 'operations', 'lostGroups'] as const) {
      metrics.count(NAMES[key], {}, commits[key] - counted[key])
      counted[key] = commits[key]
    }
  })
}
