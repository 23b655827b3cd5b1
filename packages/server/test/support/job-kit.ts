/** A job queue on a real store, with a clock that tests set. The tests of jobs build on it. */
import { createBackground } from '../../src/runtime/background.js'
import { heldClock } from '../../src/runtime/clock.js'
import { createIds } from '../../src/runtime/ids.js'
import type { AnyJob, Schedule } from '../../src/runtime/jobs/define.js'
import { enqueue } from '../../src/runtime/jobs/enqueue.js'
import { createQueue } from '../../src/runtime/jobs/queue.js'
import { type JobRunner, tenantAlone } from '../../src/runtime/jobs/run-job.js'
import { jobTables } from '../../src/runtime/jobs/tables.js'
import { busWakeUps } from '../../src/runtime/jobs/wake-ups.js'
import { silentLog } from '../../src/runtime/log/log.js'
import { createMetrics } from '../../src/runtime/metrics/metrics.js'
import type { OutboxMessage, Runtime } from '../../src/runtime/operation/context.js'
import { localBus } from '../../src/runtime/redis/redis.js'
import type { Store } from '../../src/runtime/store/db.js'
import { testSettings } from './settings.js'

export const START_MS = Date.UTC(2026, 10, 21, 10)

export function jobKit(store: Store) {
  const clock = heldClock(START_MS)
  const runtime: Runtime = { clock, ids: createIds(clock), store, settings: testSettings(), domains: [] }
  const queue = createQueue(runtime)
  const runner: JobRunner = { runtime, queue, random: () => 0, tenantOf: tenantAlone, log: silentLog }
  return {
    clock,
    runtime,
    queue,
    runner,
    add: (message: OutboxMessage) => store.system.write((tx) => enqueue(tx, runtime, message)),
    rows: () => store.system.read((db) => db.select().from(jobTables(db).jobs).orderBy(jobTables(db).jobs.id)),
    clear: () =>
      store.system.write(async (tx) => {
        await tx.delete(jobTables(tx).jobs)
        await tx.delete(jobTables(tx).leases)
        await tx.delete(jobTables(tx).scheduleTicks)
      }),
    background: (jobs: readonly AnyJob[], schedules: readonly Schedule[] = []) =>
      createBackground({
        runtime,
        jobs,
        schedules,
        services: [],
        wakeUps: busWakeUps(localBus(), clock),
        metrics: createMetrics(),
        random: () => 0,
        tenantOf: tenantAlone,
        log: silentLog,
      }),
  }
}
