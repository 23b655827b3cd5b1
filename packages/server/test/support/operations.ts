/** Every operation of the server, in the composition of one process. */
import { createApp } from '../../src/app.js'
import { createLog } from '../../src/runtime/log/log.js'
import type { Operation } from '../../src/runtime/operation/operation.js'
import { testSettings } from './settings.js'
import { sqliteStore } from './stores.js'

export async function allOperations(): Promise<readonly Operation[]> {
  const store = await sqliteStore()
  const app = createApp({ store, settings: testSettings(), log: createLog({ level: 'silent' }) })
  await app.close()
  await store.close()
  return app.operations
}
