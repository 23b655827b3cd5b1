/**
 * `npm run proof -- billing-core [--ops N] [--catalogues N] [--seed S] [--only name,…] [--bugs]`. Without options it is
 * what CI runs, in about a minute. `--bugs` plants every bug of the list in a copy and demands that a proof finds it.
 */
import { parseArgs } from 'node:util'
import { checks } from './checks.js'
import { findPlantedBugs } from './planted-bugs.js'

const { values } = parseArgs({
  options: {
    ops: { type: 'string', default: '50000' },
    catalogues: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
    bugs: { type: 'boolean', default: false },
  },
})

const whole = (name: 'ops' | 'catalogues' | 'seed'): number => {
  const value = Number(values[name])
  if (Number.isSafeInteger(value) && value >= 1) return value
  console.error(`--${name} must be a whole number from 1, not ${values[name]}`)
  process.exit(2)
}

const sizes = { ops: whole('ops'), catalogues: whole('catalogues'), seed: whole('seed') }
const wanted = values.only?.split(',')
const unknown = wanted?.filter((name) => !checks.some((check) => check.name === name)) ?? []
if (unknown.length > 0) {
  console.error(`--only knows ${checks.map((check) => check.name).join(', ')}, not ${unknown.join(', ')}`)
  process.exit(2)
}

let failed = false
for (const check of checks) {
  if (wanted !== undefined && !wanted.includes(check.name)) continue
  const start = performance.now()
  try {
    const did = check.run(sizes)
    const seconds = ((performance.now() - start) / 1000).toFixed(1)
    console.log(`ok    ${check.name.padEnd(11)} ${did} in ${seconds} s: ${check.guarantee}`)
  } catch (error) {
    failed = true
    console.log(`FAIL  ${check.name.padEnd(11)} ${error instanceof Error ? error.message : String(error)}`)
  }
}
if (values.bugs && !findPlantedBugs()) failed = true
process.exitCode = failed ? 1 : 0
