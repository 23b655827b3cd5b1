/**
 * One of several processes that write evidence and seal it at once. It prints the id of each event after its commit, until
 * it is killed or has written its share.
 *
 * Arguments: ADDRESS SHARE LEASE; without the lease nothing but the compare-and-set of heads keeps the processes apart.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { auditSequencer } from '../../src/audit/chain/start-sequencer.js'
import { systemClock } from '../../src/runtime/clock.js'
import { Refusal } from '../../src/runtime/errors.js'
import { noMetrics } from '../../src/runtime/metrics/port.js'
import type { Store } from '../../src/runtime/store/db.js'
import { storeOver } from '../../src/runtime/store/postgres.js'
import { nodePostgresPool } from '../../src/runtime/store/postgres-pool.js'
import { openSqlite } from '../../src/runtime/store/sqlite.js'
import { evidence, ORG_A, ORG_B, runtimeOver } from '../../test/support/audit/evidence.js'

const [address = '', share = '0', lease = 'lease'] = process.argv.slice(2)
const WRITERS = 4

const store: Store = address.startsWith('postgres:')
  ? storeOver(nodePostgresPool({ url: address, connectionsMax: WRITERS + 2 }))
  : openSqlite(address)
const sequencer = auditSequencer({
  store,
  clock: systemClock,
  metrics: noMetrics,
  lease: lease === 'lease',
  onError: (error) => process.stderr.write(`${String(error)} ${String((error as Error).cause ?? '')}\n`),
})
const runtime = runtimeOver(store, systemClock, () => sequencer.wake())
sequencer.start()

/** As a client does it: where the other process held the file for longer than a write waits, the answer says to come again. */
async function stored(orgId: string): Promise<string[]> {
  for (;;) {
    try {
      return await store.system.write(async (tx) => [
        await evidence(tx, runtime, orgId, 'org.update'),
        await evidence(tx, runtime, ORG_A, 'org.update'),
      ])
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'SERVICE_UNAVAILABLE') throw error
      await sleep(Number(error.headers?.['Retry-After'] ?? 1) * 1000)
    }
  }
}

async function writer(count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    const ids = await stored(index % 3 === 0 ? ORG_B : ORG_A)
    process.stdout.write(`${ids.join('\n')}\n`)
  }
}

await Promise.all(Array.from({ length: WRITERS }, () => writer(Number(share) / WRITERS)))
await sequencer.drain(30_000)
await sequencer.stop()
await store.close()
