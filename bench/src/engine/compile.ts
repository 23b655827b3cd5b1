/** Time from rules to a rule set that can evaluate. */
import { compileRules, validateRule } from '@plumbline/engine'
import { type BenchOptions, type BenchTable, time } from '../harness.js'
import { manyRules, rules } from './rules.js'

export function compileTable(options: BenchOptions): BenchTable {
  const sizes = [52, 1_000, options.quick ? 5_000 : 100_000]
  const rows = sizes.map((size) => {
    const set = size === 52 ? rules : manyRules(size)
    const rounds = size > 10_000 ? 3 : 15
    const compiled = time(() => compileRules(set), options, rounds)
    const validated = time(() => set.map((rule) => validateRule(rule).length), options, rounds)
    const first = time(() => compileRules(set).evaluate({ name: 'first-entity-1' }), options, rounds)
    return [size.toLocaleString('en-US'), compiled.toFixed(1), first.toFixed(1), validated.toFixed(1)]
  })
  return {
    title: 'Compiling rules',
    unit: 'milliseconds',
    columns: ['rules', 'compileRules', 'with the first evaluation', 'validateRule on each'],
    rows,
    note: 'Of 1,000 and more rules 12 % are regular expressions, all distinct up to the budget of a rule set.',
  }
}
