/**
 * One of several builders that claim builds of one database until all are over or it is killed. It prints `claim JOB FENCE`
 * for each claim, and `end JOB FENCE true|false` with what the queue said to the end of the build.
 *
 * Time runs `FACTOR` times as fast for all of them, so that a lease is over within a test.
 *
 * Arguments: ADDRESS BASE_MS FACTOR MODE; MODE `steady`, `hangs` (keeps what it claims for ever), `late` (ends its first build
 * when another builder has it, then goes on). It prints `ready` before it claims.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { createBuildQueue } from '../../src/plugin/build/index.js'
import { pluginTables } from '../../src/plugin/tables.js'
import { createIds } from '../../src/runtime/ids.js'
import type { Runtime } from '../../src/runtime/operation/context.js'
import type { Store } from '../../src/runtime/store/db.js'
import { storeOver } from '../../src/runtime/store/postgres.js'
import { nodePostgresPool } from '../../src/runtime/store/postgres-pool.js'
import { openSqlite } from '../../src/runtime/store/sqlite.js'
import { testSettings } from '../../test/support/settings.js'

const [address = '', base = '', factor = '', mode = 'steady'] = process.argv.slice(2)
const FACTOR = Number(factor)
const CLAIMERS = 2

const store: Store = address.startsWith('postgres:')
  ? storeOver(nodePostgresPool({ url: address, connectionsMax: CLAIMERS + 2 }))
  : openSqlite(address)
const clock = { now: () => Math.floor(Number(base) + (Date.now() - Number(base)) * FACTOR) }
const runtime: Runtime = { clock, ids: createIds(clock), store, settings: testSettings(), domains: [] }
const queue = createBuildQueue(runtime)
let claims = 0

/** Until another builder has the build. */
async function taken({ jobId, fence }: { readonly jobId: string; readonly fence: number }): Promise<void> {
  for (;;) {
    const [row] = await store.system.read((db) => {
      const { buildJobs } = pluginTables(db)
      return db.select({ fence: buildJobs.fence }).from(buildJobs).where(eq(buildJobs.id, jobId))
    })
    if (row !== undefined && row.fence > fence) return
    await sleep(20)
  }
}

async function claimer(name: string): Promise<never> {
  for (;;) {
    const claimed = await queue.claim(name)
    if (claimed === null) {
      await sleep(10)
      continue
    }
    claims += 1
    process.stdout.write(`claim ${claimed.jobId} ${claimed.fence}\n`)
    if (mode === 'hangs') await sleep(600_000)
    if (claims === 1 && mode === 'late') await taken(claimed)
    else await sleep(Math.random() * 15)
    const image = { imageRef: `made/${claimed.fence}`, imageDigest: 'sha256:abc', imageSizeBytes: 1 }
    const isEnded = await queue.complete(claimed, image)
    process.stdout.write(`end ${claimed.jobId} ${claimed.fence} ${isEnded}\n`)
  }
}

await store.system.read(async () => undefined)
process.stdout.write('ready\n')
await Promise.all(Array.from({ length: CLAIMERS }, (_, n) => claimer(`${process.pid}-${n}`)))
