/**
 * Three processes take the places of one account, from its root and its team, and are killed at random: the rows never
 * outnumber the limit, and afterwards every free place can be taken.
 */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { bundle } from '../proof/bundle.js'
import { insertOrganization } from '../src/identity/organization/insert.js'
import { capacityOfAccounts } from '../src/quota/capacity/port.js'
import { systemClock } from '../src/runtime/clock.js'
import { createIds } from '../src/runtime/ids.js'
import type { Runtime } from '../src/runtime/operation/context.js'
import { Ports } from '../src/runtime/port.js'
import { capacityOf, capacityPort } from '../src/runtime/records/capacity.js'
import type { Store } from '../src/runtime/store/db.js'
import { openSqliteStore } from '../src/runtime/store/open-store.js'
import { countPlaces, fillPlaces, placesRegistration } from './support/places.js'
import { testSettings } from './support/settings.js'
import { postgresMissing, postgresStore } from './support/stores.js'

const LIMIT = 7
const PROCESSES = 3
const KILLS = 4

/** What is waited for happens; a slow machine only takes its time. */
vi.setConfig({ testTimeout: 600_000, hookTimeout: 300_000 })

let built: Awaited<ReturnType<typeof bundle>>
beforeAll(async () => {
  built = await bundle('proof/quota/place-worker.ts')
})
afterAll(() => built.clean())

interface Worker {
  readonly process: ChildProcess
  taken: number
  refused: number
  problem: string
}

function start(address: string, orgIds: readonly string[]): Worker {
  const child = spawn(process.execPath, [built.file, address, orgIds.join(','), String(LIMIT)])
  const worker: Worker = { process: child, taken: 0, refused: 0, problem: '' }
  child.stdout.on('data', (chunk: Buffer) => {
    for (const line of chunk.toString().split('\n')) {
      if (line === '+') worker.taken += 1
      if (line === 'full') worker.refused += 1
    }
  })
  child.stderr.on('data', (chunk: Buffer) => {
    worker.problem += chunk.toString()
  })
  return worker
}

/** `drained` waits until the database has ended what the killed ones had sent to it. */
async function raceFor(store: Store, address: string, drained: () => Promise<void>): Promise<void> {
  const runtime: Runtime = {
    clock: systemClock,
    ids: createIds(systemClock),
    store,
    settings: testSettings({ BILLING_ENABLED: 'true', QUOTA_TIER_TEAM_PIPELINES: String(LIMIT) }),
    domains: [placesRegistration],
    ports: new Ports(),
  }
  runtime.ports?.set(capacityPort, capacityOfAccounts(runtime))
  const root = await store.system.write((tx) =>
    insertOrganization(tx, runtime, { name: 'Root', tier: 'team', ownerId: null }),
  )
  const team = await store.system.write((tx) =>
    insertOrganization(tx, runtime, { name: 'Team', parentOrgId: root.id, ownerId: null }),
  )
  const orgIds = [root.id, team.id]
  const held = () => store.system.read((db) => countPlaces(db, orgIds))
  const crew = Array.from({ length: PROCESSES }, () => start(address, orgIds))
  const all = [...crew]
  const refusals = () => all.reduce((sum, { refused }) => sum + refused, 0)
  let most = 0
  try {
    for (let kills = 0; kills < KILLS; kills++) {
      const victim = crew[kills % PROCESSES] as Worker
      const target = victim.taken + 5 + kills
      // Until somebody found the account full, and was seen to.
      while (victim.taken < target || refusals() === 0 || most < LIMIT) {
        if (victim.process.exitCode !== null) throw new Error(`a worker ended: ${victim.problem}`)
        most = Math.max(most, await held())
        await sleep(2)
      }
      victim.process.kill('SIGKILL')
      const next = start(address, orgIds)
      crew[kills % PROCESSES] = next
      all.push(next)
    }
    expect(most).toBe(LIMIT)
  } finally {
    for (const { process: child } of all) {
      if (child.exitCode !== null || child.signalCode !== null) continue
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    }
  }
  await drained()
  // What the killed ones had open is rolled back: no place is lost, none is given out twice.
  const take = () =>
    store.system.write(async (tx) => {
      await capacityOf(runtime).take(tx, root.id, 'pipelines', 1)
      await fillPlaces(tx, root.id, [runtime.ids.next()])
    })
  const before = await held()
  expect(before).toBeLessThanOrEqual(LIMIT)
  for (let free = LIMIT - before; free > 0; free--) await take()
  await expect(take()).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' })
  expect(await held()).toBe(LIMIT)
}

/** PostgreSQL carries out what a client sent before it was killed: a COMMIT that is on its way still counts. */
async function sessionsAreIdle(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const busy = `SELECT pid FROM pg_stat_activity WHERE datname = current_database()
      AND backend_type = 'client backend' AND pid <> pg_backend_pid() AND state IS DISTINCT FROM 'idle'`
    await vi.waitFor(async () => expect((await client.query(busy)).rows).toEqual([]), { timeout: 60_000, interval: 20 })
  } finally {
    await client.end()
  }
}

const missing = await postgresMissing()

describe('places of an account under three processes that are killed', () => {
  it.skipIf(missing !== null)('on one PostgreSQL', async () => {
    const store = await postgresStore()
    try {
      await raceFor(store, store.url, () => sessionsAreIdle(store.url))
    } finally {
      await store.close()
    }
  })

  it('on one SQLite file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'plumbline-places-'))
    const file = join(folder, 'plumbline.db')
    const store = await openSqliteStore(file)
    try {
      await raceFor(store, file, async () => undefined)
    } finally {
      await store.close()
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
