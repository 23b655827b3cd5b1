/**
 * `npm run proof -- attacks [--engine sqlite|postgres] [--only TEXT]`: requests that once went through are sent to a server
 * process, and each must get the answer that was ruled for it.
 */
import { parseArgs } from 'node:util'
import { ATTACKS } from './attacks.js'
import { FURTHER_ATTACKS } from './further.js'
import { HIDDEN_ATTACKS } from './hidden.js'
import { STORED_ATTACKS } from './stored.js'
import { startTarget } from './target.js'

const { values } = parseArgs({
  options: { engine: { type: 'string', default: 'sqlite' }, only: { type: 'string', default: '' } },
})
if (!['sqlite', 'postgres'].includes(values.engine)) {
  console.error('--engine must be sqlite or postgres: a process of its own serves it')
  process.exit(2)
}
const chosen = [...ATTACKS, ...FURTHER_ATTACKS, ...HIDDEN_ATTACKS, ...STORED_ATTACKS].filter(({ name }) =>
  name.includes(values.only),
)
if (chosen.length === 0) {
  console.error(`no attack is called ${values.only}`)
  process.exit(2)
}

const target = await startTarget(values.engine)
const failures: string[] = []
try {
  for (const { name, expects, run } of chosen) {
    const got = await run(target).catch((error: unknown) => String(error))
    if (got !== expects) failures.push(`${name}: expected ${expects}, got ${got}`)
  }
} finally {
  await target.stop()
}
const isGood = failures.length === 0
console.log(`${isGood ? 'pass' : 'FAIL'}  attacks on ${values.engine}: ${chosen.length}, each with the ruled answer`)
for (const failure of failures) console.log(`      ${failure}`)
process.exit(isGood ? 0 : 1)
