/**
 * `npm run proof -- scim [--runs 20000] [--engine sqlite|postgres] [--seed 1]`: a directory against its model. A run is one call;
 * each organization gets 100 of them, then everything is compared, and 20 filters with another reader of the language.
 */
import { parseArgs } from 'node:util'
import { directoryOf } from '../../test/support/scim.js'
import { ssoApp } from '../../test/support/sso.js'
import { postgresStore, sqliteStore } from '../../test/support/stores.js'
import { createRandom } from '../world/random.js'
import { ScimModel } from './model.js'

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '20000' },
    engine: { type: 'string', default: 'sqlite' },
    seed: { type: 'string', default: '1' },
  },
})
const CALLS = 100
const FILTERS = 20
const [runs, seed] = [Number(values.runs), Number(values.seed)]
if (!Number.isSafeInteger(runs) || runs < 1 || !Number.isSafeInteger(seed)) {
  console.error('--runs and --seed must be whole numbers')
  process.exit(2)
}

const random = createRandom(seed)
const failures: string[] = []
let calls = 0
let filters = 0
const store = values.engine === 'postgres' ? await postgresStore() : await sqliteStore()
try {
  const app = await ssoApp(store)
  for (let organization = 0; calls < runs; organization++) {
    const domain = `acme-${organization}.test`
    const model = new ScimModel(app, await directoryOf(app, `ann-${organization}`, domain), random, domain)
    await model.begin()
    for (let n = 0; n < CALLS && calls < runs; n++) {
      await model.step()
      calls += 1
    }
    await model.compare()
    for (let n = 0; n < FILTERS; n++) {
      await model.compareFilter()
      filters += 1
    }
    failures.push(...model.failures.map((failure) => `${domain}: ${failure}`))
  }
  failures.push(...app.errors.map(String))
} finally {
  await store.close()
}
const verdict = failures.length === 0 ? 'pass' : 'FAIL'
console.log(`${verdict}  scim on ${values.engine}: ${calls} calls and ${filters} filters, seed ${seed}`)
for (const failure of failures.slice(0, 20)) console.log(`      ${failure}`)
if (failures.length > 0) process.exitCode = 1
