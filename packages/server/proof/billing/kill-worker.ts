/** One step of an account in a process that ends itself by SIGKILL at a transaction: just before its commit, or just after. */
import type { Store, StoreScope } from '../../src/runtime/store/db.js'
import { openPostgresStore, openSqliteStore } from '../../src/runtime/store/open-store.js'
import { cardApp } from '../../test/support/card.js'
import type { Killed } from './kills.js'

const killed = JSON.parse(process.argv[2] ?? '{}') as Killed
const { place, settings, nowMs, accessToken, key, step, deliveries, jobs, killAt } = killed

let isArmed = false
let moments = 0
/** Each transaction has two moments. */
function moment(): void {
  if (isArmed && ++moments === killAt) process.kill(process.pid, 'SIGKILL')
}

const mortal = (scope: StoreScope): StoreScope => ({
  read: (run) => scope.read(run),
  snapshot: (run) => scope.snapshot(run),
  async write(run, operation) {
    const done = await scope.write(async (tx) => {
      const result = await run(tx)
      moment()
      return result
    }, operation)
    moment()
    return done
  },
})

const inner = place.startsWith('postgres')
  ? await openPostgresStore({ url: place, connectionsMax: 4 })
  : await openSqliteStore(place)
const store: Store = {
  database: inner.database,
  tenant: (own) => mortal(inner.tenant(own)),
  system: mortal(inner.system),
  ping: () => inner.ping(),
  close: () => inner.close(),
}
const { app, deliver, job, close } = await cardApp(store, settings)
app.clock.set(nowMs)
isArmed = true
if (step !== null) {
  const { method, path, body } = step
  await app.call(method, path, { as: { accessToken }, body, headers: { 'idempotency-key': key } })
}
for (const each of deliveries) await deliver(each)
for (const kind of jobs) await job(kind)
await close()
console.log(moments)
process.exit(0)
