/**
 * More rules and more entities: neither must increase the cost per rule, and more entities must not increase the
 * memory.
 */
import { compileRules, type RuleSet } from '@plumbline/engine'
import { type BenchOptions, type BenchTable, compare, formatRate, time } from '../harness.js'
import { type Entity, unseen } from './entities.js'
import { manyRules, rules } from './rules.js'

export function scaleTable(entities: readonly Entity[], options: BenchOptions): BenchTable {
  const sets = [rules, manyRules(1_000), manyRules(options.quick ? 2_000 : 10_000)]
  const contenders = sets.map((set) => {
    const ruleSet = compileRules(set)
    let next = 0
    return {
      name: set.length.toLocaleString('en-US'),
      run: () => {
        ruleSet.evaluate(entities[next++ % entities.length] as Entity)
        return set.length
      },
    }
  })
  const measured = compare(contenders, options)
  return {
    title: 'Cost of a rule by size of the rule set',
    unit: 'nanoseconds, full result',
    columns: ['rules', 'ns a rule', 'entities/s', 'violations an entity'],
    rows: measured.map((each, index) => {
      const set = sets[index] ?? []
      const ruleSet = compileRules(set)
      const violations = entities.reduce((sum, entity) => sum + ruleSet.evaluate(entity).violations.length, 0)
      return [
        each.name,
        (1e9 / each.perSecond).toFixed(1),
        formatRate(each.perSecond / set.length),
        (violations / entities.length).toFixed(0),
      ]
    }),
    note: [
      '12 % of the rules of the larger sets are regular expressions, all distinct. No step costs more with more rules; nearly a',
      'quarter of these rules are violations, and their results and the rules no longer fit into the fast caches at 10,000.',
    ].join(' '),
  }
}

export function scanTable(ruleSet: RuleSet, base: readonly Entity[], options: BenchOptions): BenchTable {
  const count = options.quick ? 2_000 : 100_000
  const entities = unseen(base, count)
  globalThis.gc?.()
  const before = process.memoryUsage().heapUsed
  let violations = 0
  const ms = time(
    () => {
      violations = 0
      for (const entity of entities) violations += ruleSet.evaluate(entity).violations.length
    },
    options,
    3,
  )
  globalThis.gc?.()
  const growth = (process.memoryUsage().heapUsed - before) / 2 ** 20
  return {
    title: `Scan of ${count.toLocaleString('en-US')} distinct entities, ${ruleSet.rules.length} rules`,
    unit: 'one thread',
    columns: ['seconds', 'entities/s', 'violations', 'heap kept afterwards, MiB'],
    rows: [
      [(ms / 1000).toFixed(2), formatRate((count * 1000) / ms), violations.toLocaleString('en-US'), growth.toFixed(1)],
    ],
  }
}
