/**
 * Goal: several processes that seal at once never fork a chain, and lose no event that was committed, though they are
 * killed at random moments. Method: processes with and without the lease, SIGKILL from a seeded series, then a full
 * verification. `npm run proof -- server-durability --races N` does the same for longer.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Bundle, bundle } from '../../proof/bundle.js'
import { judgeRace, race } from '../../proof/durability/race.js'
import { createRandom } from '../../proof/world/random.js'
import { openSqliteStore } from '../../src/runtime/store/open-store.js'
import { ORG_B } from '../support/audit/evidence.js'
import { postgresMissing, postgresStore } from '../support/stores.js'

const missing = await postgresMissing()

describe('processes that seal at once', { timeout: 120_000 }, () => {
  let worker: Bundle
  beforeAll(async () => {
    worker = await bundle('proof/durability/race-worker.ts')
  })
  afterAll(() => worker.clean())

  it.skipIf(missing !== null).each([{ lease: true }, { lease: false }])(
    `never fork on PostgreSQL: three of them, killed at random, lease: $lease${missing === null ? '' : ` (${missing})`}`,
    async ({ lease }) => {
      const store = await postgresStore()
      try {
        const options = { worker: worker.file, address: store.url, processes: 3, kills: 5, lease }
        const committed = await race({ ...options, random: createRandom(20_261_121).next })
        expect(committed.length).toBeGreaterThan(50)
        expect(await judgeRace(store, committed)).toMatchObject({ chains: 2, failures: [] })
      } finally {
        await store.close()
      }
    },
  )

  it('never fork on SQLite: two of them on one file, killed at random', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'plumbline-race-'))
    const store = await openSqliteStore(join(folder, 'plumbline.db'))
    try {
      const options = { worker: worker.file, address: join(folder, 'plumbline.db'), processes: 2, kills: 4 }
      const committed = await race({ ...options, lease: true, random: createRandom(7).next })
      expect(committed.length).toBeGreaterThan(50)
      expect(await judgeRace(store, committed)).toMatchObject({ chains: 2, failures: [] })
      // What it looks for it would find.
      expect((await judgeRace(store, ['evt_lost'])).failures).toHaveLength(1)
      await store.system.write((tx) => tx.rows(sql`DELETE FROM audit_heads WHERE chain = ${ORG_B} RETURNING 1`))
      expect((await judgeRace(store, [])).failures).toEqual([`chain ${ORG_B} has no head`])
    } finally {
      await store.close()
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
