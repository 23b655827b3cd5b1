/**
 * Reports over an organization with many runs, on SQLite: `reports.ts FOLDER EXECUTIONS`. Facts are inserted directly, sums made by the
 * code of the job, reports asked of the application. Prints one line of JSON: times in ms, stalls of the event loop, memory.
 */

import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { rebuildDays } from '../../src/reporting/rollup/rebuild.js'
import { openSqliteStore } from '../../src/runtime/store/open-store.js'
import { newPipeline, reportingApp } from '../../test/support/reports.js'
import { signUp } from '../../test/support/sign-in.js'

const DAY = 86_400_000
const DAYS = Number(process.argv[4] ?? 730)
const PIPELINES = 200
const RUNS_AT_ONCE = 200_000
const MARKS_AT_ONCE = 200
const ROUNDS = 5

const [folder = '.', count = '200000'] = process.argv.slice(2)
const executions = Number(count)
const store = await openSqliteStore(join(folder, 'plumbline.db'))
store.writer.pragma('synchronous = OFF')
const app = await reportingApp(store, { settings: { BILLING_ENABLED: 'false', REPORT_RETENTION_DAYS: '730' } })
const person = await signUp(app, 'bench')
const { orgId } = person
const ids: string[] = []
for (let at = 0; at < PIPELINES; at++) ids.push(await newPipeline(app, person, `p${at}`))
const nowMs = app.clock.now()
const cpuMsSince = (before: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
const since = (startMs: number): number => performance.now() - startMs

/** The same runs each time, by arithmetic alone: one in five deploys, one in twenty fails. */
async function insertFacts(): Promise<void> {
  const step = (DAYS * DAY) / executions
  const runs = `WITH RECURSIVE n(i) AS (SELECT CAST(? AS INTEGER) UNION ALL SELECT i + 1 FROM n WHERE i + 1 < CAST(? AS INTEGER)),
    r AS (SELECT i, p.id AS pipeline, CAST(${nowMs} - (i + 1) * ${step} AS INTEGER) AS begun,
      30000 + (i * 7919) % 600000 AS took, CASE WHEN (i / 5 * 31) % 20 = 0 THEN 'failed' ELSE 'succeeded' END AS status
      FROM n JOIN bench_pipelines p ON p.at = i % ${PIPELINES - 1})`
  const { writer } = store
  writer.exec('CREATE TEMP TABLE bench_pipelines (at INTEGER PRIMARY KEY, id TEXT NOT NULL)')
  const pipeline = writer.prepare('INSERT INTO bench_pipelines VALUES (?, ?)')
  for (const [at, id] of ids.entries()) pipeline.run(at, id)
  const tables = [
    `report_executions (org_id, pipeline_id, execution_id, attempt, status, started_ms, completed_ms, duration_ms)
      ${runs} SELECT '${orgId}', pipeline, 'run-' || i, 1, status, begun, begun + took, took FROM r`,
    `report_deployments (org_id, pipeline_id, execution_id, attempt, environment, status, started_ms, completed_ms, sha, ref, committed_ms, is_rollback, is_rework)
      ${runs} SELECT '${orgId}', pipeline, 'run-' || i, 1, CASE WHEN i % 3 = 0 THEN 'staging' ELSE 'production' END, status, begun, begun + took, printf('%040x', i), 'main', begun - (i * 104729) % 200000000, 0, 0 FROM r WHERE i % 5 = 0`,
    `report_dirty (org_id, day_ms, pipeline_id)
      ${runs} SELECT DISTINCT '${orgId}', begun / ${DAY} * ${DAY}, pipeline FROM r WHERE 1 ON CONFLICT DO NOTHING`,
    `report_dirty (org_id, day_ms, pipeline_id)
      ${runs} SELECT DISTINCT '${orgId}', (begun + took) / ${DAY} * ${DAY}, pipeline FROM r WHERE 1 ON CONFLICT DO NOTHING`,
  ].map((text) => writer.prepare(`INSERT INTO ${text}`))
  for (let from = 0; from < executions; from += RUNS_AT_ONCE) {
    writer.exec('BEGIN IMMEDIATE')
    for (const insert of tables) insert.run(from, Math.min(executions, from + RUNS_AT_ONCE))
    writer.exec('COMMIT')
  }
  const incident = writer.prepare(
    "INSERT INTO report_incidents (org_id, incident_id, environment, opened_ms, resolved_ms, severity, updated_ms) VALUES (?, ?, 'production', ?, ?, 'high', ?)",
  )
  writer.exec('BEGIN IMMEDIATE')
  for (let at = 0; at < 500; at++) {
    const openedMs = nowMs - Math.floor(((at + 1) * DAYS * DAY) / 501)
    incident.run(orgId, `inc-${at}`, openedMs, openedMs + 3_600_000, nowMs)
  }
  writer.exec('COMMIT; ANALYZE')
}

async function get(path: string): Promise<number> {
  const startMs = performance.now()
  const { status, body } = await app.call('GET', path, { as: person })
  if (status !== 200) throw new Error(`${path}: ${JSON.stringify(body)}`)
  return since(startMs)
}

const window = (days: number) =>
  `from=${new Date(nowMs - days * DAY).toISOString()}&to=${new Date(nowMs).toISOString()}`
const REPORTS = [
  'reports/execution/count?',
  'reports/execution/success-rate?',
  'reports/execution/duration?',
  'reports/execution/dora?',
  'reports/execution/dora/trend?',
]

interface Figures {
  readonly ms: number
  readonly cpuMs: number
  readonly stallMs: number
}

/** The middle of some calls, and the longest that the event loop stood still in one. */
async function measured(path: string): Promise<Figures> {
  await get(path)
  const before = process.cpuUsage()
  const delay = monitorEventLoopDelay({ resolution: 1 })
  const times: number[] = []
  delay.enable()
  for (let round = 0; round < ROUNDS; round++) {
    await new Promise((resolve) => setTimeout(resolve, 5))
    times.push(await get(path))
  }
  delay.disable()
  return {
    cpuMs: cpuMsSince(before) / ROUNDS,
    ms: times.sort((a, b) => a - b)[ROUNDS >> 1] ?? 0,
    stallMs: delay.max / 1e6,
  }
}

const insertedMs = performance.now()
await insertFacts()
const insertMs = since(insertedMs)
globalThis.gc?.()
const restMiB = process.memoryUsage().rss / 2 ** 20
let mostMiB = restMiB
const rebuiltMs = performance.now()
const rebuiltCpu = process.cpuUsage()
let marks = 0
for (let taken = MARKS_AT_ONCE; taken > 0; marks += taken) {
  taken = await store.system.write((tx) => rebuildDays(tx, orgId, MARKS_AT_ONCE))
  mostMiB = Math.max(mostMiB, process.memoryUsage().rss / 2 ** 20)
}
const rebuildMs = since(rebuiltMs)
const rebuildCpuMs = cpuMsSince(rebuiltCpu)
const rows: (Figures & { readonly name: string })[] = []
for (const days of [30, DAYS]) {
  for (const report of REPORTS) {
    const name = `${report.slice(report.lastIndexOf('execution/') + 10, -1)}, ${days} days`
    rows.push({ name, ...(await measured(`/${report}${window(days)}`)) })
  }
}
rows.push({ name: '200 scorecards', ...(await measured('/reports/scorecards?limit=200')) })
const { total } = (await app.call('GET', `/reports/execution/count?limit=1&${window(DAYS)}`, { as: person })).data
  .totals
if (total < executions * 0.999) throw new Error(`${total} of ${executions} runs are counted`)
console.log(
  JSON.stringify({ executions, insertMs, rebuildMs, rebuildCpuMs, rebuildMiB: mostMiB - restMiB, marks, rows }),
)
await store.close()
process.exit(0)
