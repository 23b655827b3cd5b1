/** `FOLDER MS`: changes with evidence in process, by one client and by 64. Prints rates and commits as JSON. */
import { join } from 'node:path'
import { openSqliteStore } from '../../src/runtime/store/open-store.js'
import { change } from '../durability/change.js'

const [folder = '', ms = '1000'] = process.argv.slice(2)
const store = await openSqliteStore(join(folder, 'plumbline.db'))
let number = 0

async function rate(clients: number): Promise<{ perSecond: number; perCommit: number }> {
  const before = { ...store.commits }
  const startedMs = performance.now()
  const endMs = startedMs + Number(ms)
  const client = async () => {
    while (performance.now() < endMs) await change(store, number++)
  }
  await Promise.all(Array.from({ length: clients }, client))
  const operations = store.commits.operations - before.operations
  return {
    perSecond: (operations / (performance.now() - startedMs)) * 1000,
    perCommit: operations / (store.commits.groups - before.groups),
  }
}

await rate(64)
const single = await rate(1)
const grouped = await rate(64)
await store.close()
process.stdout.write(JSON.stringify({ single, grouped }))
