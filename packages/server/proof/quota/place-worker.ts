/**
 * One of several processes that take places of one account until it is full, and free some again, until it is killed. It
 * prints `+` after each place that it saw committed, and `full` after each refusal.
 *
 * Arguments: ADDRESS ORGANIZATIONS (ids between commas) LIMIT
 */

import { capacityOfAccounts } from '../../src/quota/capacity/port.js'
import { systemClock } from '../../src/runtime/clock.js'
import { Refusal } from '../../src/runtime/errors.js'
import { createIds } from '../../src/runtime/ids.js'
import type { Runtime } from '../../src/runtime/operation/context.js'
import { Ports } from '../../src/runtime/port.js'
import { capacityOf, capacityPort } from '../../src/runtime/records/capacity.js'
import type { Store } from '../../src/runtime/store/db.js'
import { storeOver } from '../../src/runtime/store/postgres.js'
import { nodePostgresPool } from '../../src/runtime/store/postgres-pool.js'
import { openSqlite } from '../../src/runtime/store/sqlite.js'
import { fillPlaces, freePlaces, placesRegistration } from '../../test/support/places.js'
import { testSettings } from '../../test/support/settings.js'

const [address = '', organizations = '', limit = ''] = process.argv.slice(2)
const orgIds = organizations.split(',')
const WRITERS = 4

const store: Store = address.startsWith('postgres:')
  ? storeOver(nodePostgresPool({ url: address, connectionsMax: WRITERS + 2 }))
  : openSqlite(address)
const runtime: Runtime = {
  clock: systemClock,
  ids: createIds(systemClock),
  store,
  settings: testSettings({ BILLING_ENABLED: 'true', QUOTA_TIER_TEAM_PIPELINES: limit }),
  domains: [placesRegistration],
  ports: new Ports(),
}
runtime.ports?.set(capacityPort, capacityOfAccounts(runtime))

async function writer(index: number): Promise<never> {
  for (let turn = index; ; turn++) {
    const orgId = orgIds[turn % orgIds.length] ?? ''
    try {
      await store.system.write(async (tx) => {
        await capacityOf(runtime).take(tx, orgId, 'pipelines', 1)
        await fillPlaces(tx, orgId, [runtime.ids.next()])
      })
      process.stdout.write('+\n')
    } catch (error) {
      if (!(error instanceof Refusal && error.code === 'QUOTA_EXCEEDED')) throw error
      process.stdout.write('full\n')
      await store.system.write((tx) => freePlaces(tx, [orgId], 2))
    }
  }
}

await Promise.all(Array.from({ length: WRITERS }, (_, index) => writer(index)))
