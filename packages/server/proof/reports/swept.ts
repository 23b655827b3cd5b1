/**
 * Days of which only sums are left: counts, rates and durations are what they were, and delivery metrics from sums are those from the
 * facts that remain.
 */

import { sweepFacts } from '../../src/reporting/sweep-facts.js'
import type { Runtime } from '../../src/runtime/operation/context.js'
import { type Api, compareWays, withDifferences } from './check.js'
import type { OracleWorld } from './oracle.js'

const DAY = 86_400_000
const REPORTS = ['count', 'success-rate?interval=day', 'duration'] as const

export interface Sweeping {
  readonly runtime: Runtime
  readonly orgId: string
  readonly fromMs: number
  readonly toMs: number
  rollUp(): Promise<void>
}

/** @param days of facts that are kept. */
export async function afterSweep(api: Api, world: OracleWorld, days: number, sweeping: Sweeping): Promise<string[]> {
  const { runtime, orgId, fromMs, toMs } = sweeping
  const whole = { fromMs: Math.floor(fromMs / DAY) * DAY, toMs }
  const window = `from=${new Date(whole.fromMs).toISOString()}&to=${new Date(toMs).toISOString()}`
  const read = () =>
    Promise.all(
      REPORTS.map((report) => api.get(`/reports/execution/${report}${report.includes('?') ? '&' : '?'}${window}`)),
    )
  const before = await read()
  const nowMs = runtime.clock.now() + (runtime.settings.REPORT_RETENTION_DAYS - days) * DAY
  const sweep = () => runtime.store.system.write((tx) => sweepFacts(tx, runtime, orgId, nowMs, 3))
  // A few rows at a time, with sums made in between: what is half swept says the same.
  while ((await sweep()) >= 3) await sweeping.rollUp()
  await sweeping.rollUp()
  const after = await read()
  const { found, same } = withDifferences()
  for (const [at, report] of REPORTS.entries()) same(`${report} after a sweep`, rounded(after[at]), rounded(before[at]))
  await compareWays(api, world, { window, ...whole, same })
  return found
}

/** Percentiles of a day that was swept come from bins, within 1 %. */
const rounded = (answer: unknown): unknown =>
  JSON.parse(JSON.stringify(answer), (key, value) => (/^(p\d+Ms|approximate)$/.test(key) ? undefined : value))
