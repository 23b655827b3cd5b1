/**
 * The engine compared with its peers and with hand-written code, which is the limit.
 *
 * Before anything is measured, every contender must report the same failed rules for every entity. Otherwise the run
 * stops.
 */
import { compileRules } from '@plumbline/engine'
import type { BenchArea, BenchOptions, BenchTable } from '../harness.js'
import { comparisonTable } from './comparison.js'
import { compileTable } from './compile.js'
import { type Entity, loadEntities, unseen } from './entities.js'
import { memoryTable } from './memory.js'
import type { Workload } from './peers/isolated.js'
import { rules } from './rules.js'
import { scaleTable, scanTable } from './scale.js'
import { sizeTable } from './size.js'
import { standaloneCheck } from './standalone.js'

export const area: BenchArea = {
  name: 'engine',
  summary: 'rules evaluated, compiled and carried, beside peers and hand-written code',
  run,
}

async function run(options: BenchOptions): Promise<BenchTable[]> {
  const { origin, violating, passing, neglected } = loadEntities()
  const ruleSet = compileRules(rules)
  const standalone = await standaloneCheck(ruleSet)
  const compareOn = (title: string, entities: readonly Entity[], peersOn: Workload | null) =>
    comparisonTable(title, { rules, ruleSet, standalone, entities, peersOn }, options)
  const pool = unseen(violating, options.quick ? 2_000 : 40_000)
  return [
    await compareOn(`${rules.length} rules on ${origin}: violating`, violating, 'violating'),
    await compareOn(`${rules.length} rules on the same, neglected`, neglected, 'neglected'),
    await compareOn(`${rules.length} rules on entities that pass everything`, passing, 'passing'),
    await compareOn(`${rules.length} rules, texts never seen before`, pool, null),
    scaleTable(violating, options),
    scanTable(ruleSet, violating, options),
    compileTable(options),
    memoryTable(options),
    await sizeTable(new URL('../../../packages/engine/', import.meta.url)),
  ]
}
