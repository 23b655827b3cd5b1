/**
 * The static analysis held against the truth: `npm run proof -- lint [--pairs N] [--seed S]`.
 *
 *   recall   300 planted pairs with known labels: how many the analysis finds, by label and family
 *   claims   random rule sets: every claim, witness and fix is put to the engine, on entities made to refute it
 *
 * Exits 1 when recall is under 80 %, or a single claim is false.
 */

import { parseArgs } from 'node:util'
import fc from 'fast-check'
import { buildEntity } from '../src/domain/candidates.js'
import { fixedSequence } from '../src/domain/fixed-sequence.js'
import type { Attributes, Rule } from '../src/index.js'
import { type Finding, lintReport } from '../src/lint/index.js'
import { placesRead } from '../src/testing/any-attributes.js'
import { anyAttributes, anyRuleSet } from '../src/testing/index.js'
import { type Label, type PlantedPair, plantedPairs } from './planted-pairs.js'
import { refute } from './refute.js'

const GOAL = 0.8
const PLANTED = 300
const ENTITIES_PER_PAIR = 200
/** Few fields, so that two rules meet often. */
const FIELDS = [
  'a',
  '$count(a)',
  '$length(a)',
  '$lines(a)',
  '$keys(a)',
  '$count($keys(a))',
  'a.b',
  'a[0]',
  'a.length',
  'b',
]

const { values } = parseArgs({ options: { pairs: { type: 'string' }, seed: { type: 'string' } } })
const pairs = Number(values.pairs ?? '2000')
const seed = Number(values.seed ?? '1')
if (!Number.isInteger(pairs) || pairs < 0 || !Number.isInteger(seed)) {
  console.error('usage: npm run proof -- lint [--pairs N] [--seed S]')
  process.exit(2)
}
console.log(`lint proof: ${plantedPairs.length} planted pairs, ${pairs} random rule sets, seed ${seed}\n`)
const recalled = proveRecall()
const sound = proveClaims()
process.exitCode = recalled && sound ? 0 : 1

function entitiesFor(rules: readonly Rule[], choice: number): Attributes[] {
  const places = placesRead(rules)
  const choose = fixedSequence(choice)
  const bordered = Array.from({ length: ENTITIES_PER_PAIR }, () => buildEntity(places, choose))
  return [...bordered, ...fc.sample(anyAttributes(rules), { numRuns: 30, seed: choice })]
}

function isFound(pair: PlantedPair, findings: readonly Finding[]): boolean {
  const proved = findings.filter(({ status }) => status === 'proved')
  if (pair.label === 'none') return !proved.some(({ rules, code }) => rules.length === 2 && code !== 'similar-name')
  return proved.some(({ code, rules }) =>
    pair.label === 'first-implies-second' ? code === 'subsumed' && rules[0]?.name === 'first' : code === pair.label,
  )
}

function proveRecall(): boolean {
  const counts = new Map<Label, { total: number; found: number; missed: Map<string, number> }>()
  let falseClaims = 0
  plantedPairs.forEach((pair, index) => {
    const { findings } = lintReport(pair.rules)
    const count = counts.get(pair.label) ?? { total: 0, found: 0, missed: new Map<string, number>() }
    counts.set(pair.label, count)
    count.total += 1
    if (isFound(pair, findings)) count.found += 1
    else count.missed.set(pair.family, (count.missed.get(pair.family) ?? 0) + 1)
    falseClaims += refute(pair.rules, findings, entitiesFor(pair.rules, index + 1)).length
  })
  let total = 0
  let found = 0
  for (const [label, count] of counts) {
    const share = ((100 * count.found) / count.total).toFixed(1)
    console.log(
      `${label.padEnd(22)} ${String(count.found).padStart(3)} of ${String(count.total).padStart(3)}  ${share} %`,
    )
    for (const [family, missed] of count.missed) console.log(`${' '.repeat(22)} missed ${missed}: ${family}`)
    if (label === 'none') falseClaims += count.total - count.found
    else {
      total += count.total
      found += count.found
    }
  }
  const recall = found / total
  console.log(`\nrecall  ${found} of ${total}, ${(100 * recall).toFixed(1)} % (goal ${100 * GOAL} %)`)
  console.log(`false claims on planted pairs  ${falseClaims}`)
  return plantedPairs.length === PLANTED && recall >= GOAL && falseClaims === 0
}

function proveClaims(): boolean {
  const claims = new Map<string, number>()
  let unknown = 0
  let questions = 0
  let refuted = 0
  const sets = fc.sample(anyRuleSet({ fields: FIELDS, minLength: 2, maxLength: 3, target: 'plugin' }), {
    numRuns: pairs,
    seed,
  })
  sets.forEach((rules, index) => {
    const report = lintReport(rules)
    questions += report.summary.questions
    unknown += report.summary.unknown
    for (const { code, status } of report.findings) {
      if (status === 'proved') claims.set(code, (claims.get(code) ?? 0) + 1)
    }
    for (const { finding, entity, what } of refute(rules, report.findings, entitiesFor(rules, seed + index))) {
      refuted += 1
      console.log(`REFUTED ${what} ${finding.code}: ${JSON.stringify(rules)} by ${JSON.stringify(entity)}`)
    }
  })
  const total = [...claims.values()].reduce((sum, count) => sum + count, 0)
  console.log(`\nrandom  ${pairs} rule sets, ${total} claims, ${questions} questions of which ${unknown} undecided`)
  for (const [code, count] of [...claims].sort((a, b) => b[1] - a[1])) console.log(`  ${code.padEnd(24)} ${count}`)
  console.log(`refuted by the engine  ${refuted}`)
  return refuted === 0
}
