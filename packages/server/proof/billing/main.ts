/**
 * `npm run proof -- billing [--steps 5000] [--seed 1] [--engine sqlite|pglite|postgres]`: billing over HTTP against a model of the
 * whole service that knows no database.
 */
import { parseArgs } from 'node:util'
import { pgliteStore, postgresStore, sqliteStore } from '../../test/support/stores.js'
import { proveBilling } from './prove.js'

const { values } = parseArgs({
  options: {
    steps: { type: 'string', default: '5000' },
    seed: { type: 'string', default: '1' },
    engine: { type: 'string', default: 'sqlite' },
  },
})
const [steps, seed] = [Number(values.steps), Number(values.seed)]
const open = { sqlite: sqliteStore, pglite: pgliteStore, postgres: postgresStore }[values.engine]
if (![steps, seed].every((each) => Number.isSafeInteger(each) && each > 0) || open === undefined) {
  console.error('--steps and --seed must be whole numbers from 1, --engine one of sqlite, pglite, postgres')
  process.exit(2)
}
const began = performance.now()
const store = await open()
const { accounts, refused, invoices } = await proveBilling(store, { steps, seed })
await store.close()
const seconds = ((performance.now() - began) / 1000).toFixed(0)
console.log(
  `billing on ${values.engine}: ${steps} steps of ${accounts} accounts, ${refused} of them refused, ${invoices} invoices: all as the model says, in ${seconds} s`,
)
process.exit(0)
