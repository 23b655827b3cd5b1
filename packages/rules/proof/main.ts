/**
 * `npm run proof -- content`: what the shipped libraries say about entities that people wrote.
 *
 * Fails when a library blocks every plugin or every pipeline: a library that blocks everything is switched off, not followed.
 */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Target } from '@plumbline/engine'
import { asStored, type Entities, readEntities } from './entities.js'
import { libraryRates, type Rates, ruleRates } from './rates.js'

const { values } = parseArgs({
  options: { data: { type: 'string' }, stored: { type: 'boolean', default: false } },
})
const folder = values.data ?? join(fileURLToPath(new URL('../../..', import.meta.url)), 'samples')
const written = readEntities(folder)
const stored = (target: Target) => written[target].map((entity) => asStored(target, entity))
const entities: Entities = values.stored ? { plugin: stored('plugin'), pipeline: stored('pipeline') } : written

const share = (count: number, of: number): string => `${count} of ${of}`
const cells = ({ entities: all, passed, warned, blocked }: Rates): string =>
  `${share(passed, all)} | ${warned} | ${blocked}`

const libraries = libraryRates(entities)
console.log(`Entities as they are ${values.stored ? 'stored by the platform' : 'written'}.\n`)
console.log('| In force | Rules | Plugins that pass | warned | blocked | Pipelines that pass | warned | blocked |')
console.log('|---|--:|--:|--:|--:|--:|--:|--:|')
for (const { name, rules, plugin, pipeline } of libraries) {
  console.log(`| ${name} | ${rules} | ${cells(plugin)} | ${cells(pipeline)} |`)
}
console.log('\n| Rule that is violated | Severity | By |\n|---|---|--:|')
for (const { name, target, severity, violated, entities: all } of ruleRates(entities)) {
  console.log(`| \`${name}\` | ${severity} | ${share(violated, all)} ${target}s |`)
}

const blocksAll = ({ entities: all, blocked }: Rates): boolean => all > 0 && blocked === all
const failing = libraries.filter(({ plugin, pipeline }) => blocksAll(plugin) || blocksAll(pipeline))
for (const { name } of failing) console.error(`\n${name} blocks everything`)
process.exitCode = failing.length === 0 ? 0 : 1
