/**
 * `npm run proof -- audit-chain`: tampering, honest logs, trees, proofs and planted bugs. Without options a share of it
 * that fits into a minute; the full size is
 *
 *     npm run proof -- audit-chain --attacks all --honest 10000 --trees 100000 --proofs 1000000 --pairs 512 --bugs
 */
import { parseArgs } from 'node:util'
import { judgeConsistency, judgeHonest } from './honest.js'
import { runPlantedBugs } from './planted-bugs.js'
import { runTamper } from './run-tamper.js'
import { judgeTree, refuseMutations, verifyAllPairs } from './trees.js'
import { judgeWithheld } from './withheld.js'

const { values } = parseArgs({
  options: {
    attacks: { type: 'string', default: '2000' },
    honest: { type: 'string', default: '500' },
    trees: { type: 'string', default: '3000' },
    proofs: { type: 'string', default: '50000' },
    pairs: { type: 'string', default: '128' },
    seed: { type: 'string', default: '1' },
    // `2/4`: the second of four processes that share the attacks.
    part: { type: 'string', default: '1/1' },
    bugs: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    // What a planted bug is run against: every class of attack a few times, and a little of all the rest.
    smoke: { type: 'boolean', default: false },
  },
})

const count = (name: 'attacks' | 'honest' | 'trees' | 'proofs' | 'pairs' | 'seed', smoke: number): number => {
  const value = Number(values.smoke && name !== 'seed' ? smoke : values[name])
  if (Number.isSafeInteger(value) && value >= 0) return value
  console.error(`--${name} must be a whole number`)
  process.exit(2)
}

const seed = count('seed', 1)
const [part = 1, parts = 1] = values.part.split('/').map(Number)
const share = { part, parts }
/** Every attack on one log when `all` is asked for. */
const attackCount = values.attacks === 'all' && !values.smoke ? null : count('attacks', 460)
let failed = 0

step('tampering', () => {
  const { attacks, verifications, classes, failures } = runTamper(attackCount, seed, share, progress)
  return {
    figure: `${number(attacks)} attacks of ${classes} classes, ${number(verifications)} verifications`,
    failures,
  }
})

step('honest logs', () => {
  const logs = count('honest', 60)
  const failures: string[] = []
  for (let index = 0; index < logs; index++) {
    for (const failure of [judgeHonest(seed + index), judgeConsistency(seed + index)])
      if (failure !== null) failures.push(failure)
    if (index % 1000 === 0) progress(index)
  }
  return { figure: `${number(logs)} logs, ${failures.length} false alarms`, failures }
})

step('withheld copies', () => {
  const copies = Math.ceil(count('honest', 60) / 10)
  const failures = Array.from({ length: copies }, (_, index) => judgeWithheld(seed + index)).filter(
    (failure) => failure !== null,
  )
  return { figure: `${number(copies)} copies, every field of a row of each altered`, failures }
})

step('random trees', () => {
  const trees = count('trees', 200)
  const failures: string[] = []
  for (let index = 0; index < trees; index++) {
    const failure = judgeTree(seed * 1_000_003 + index)
    if (failure !== null) failures.push(failure)
    if (index % 1000 === 0) progress(index)
  }
  return { figure: `${number(trees)} trees agree with the recursive RFC 9162`, failures }
})

step('pairs of sizes', () => {
  const limit = count('pairs', 40)
  const { inclusion, consistency, failures } = verifyAllPairs(limit)
  return {
    figure: `to ${limit}: ${number(inclusion)} inclusion and ${number(consistency)} consistency proofs verified`,
    failures,
  }
})

step('mutated proofs', () => {
  const { mutated, accepted, kinds } = refuseMutations(count('proofs', 6000), seed)
  return {
    figure: `${number(mutated)} of ${Object.keys(kinds).length} kinds, ${accepted.length} accepted`,
    failures: accepted,
  }
})

if (values.bugs) {
  step('planted bugs', () => {
    const { count, undetected } = runPlantedBugs(values.only, progress)
    return { figure: `${count - undetected.length} of ${count} found`, failures: undetected }
  })
}

if (failed > 0) {
  console.error(`failed: ${failed} (seed ${seed})`)
  process.exitCode = 1
}

function step(name: string, run: () => { figure: string; failures: readonly string[] }): void {
  const started = performance.now()
  const { figure, failures } = run()
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  if (process.stderr.isTTY) process.stderr.write('\r\u001b[K')
  console.log(`${failures.length === 0 ? 'ok  ' : 'FAIL'} ${name.padEnd(16)} ${figure} (${seconds} s)`)
  for (const failure of failures.slice(0, 10)) console.error(`     ${failure}`)
  failed += failures.length
}

function progress(done: number): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${number(done)} `)
}

function number(value: number): string {
  return value.toLocaleString('en-US')
}
