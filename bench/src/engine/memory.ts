/** Heap that a rule set keeps, including patterns that are compiled at first use. */
import { compileRules } from '@plumbline/engine'
import type { BenchOptions, BenchTable } from '../harness.js'
import { manyRules } from './rules.js'

export function memoryTable(options: BenchOptions): BenchTable {
  const sizes = options.quick ? [1_000] : [1_000, 10_000, 100_000]
  const rows = sizes.map((size) => {
    const set = manyRules(size)
    const text = JSON.stringify(set).length
    const before = heap()
    const ruleSet = compileRules(set)
    ruleSet.evaluate({ name: 'first-entity-1' })
    const kept = heap() - before
    return [
      ruleSet.rules.length.toLocaleString('en-US'),
      (text / 2 ** 20).toFixed(2),
      (kept / 2 ** 20).toFixed(1),
      Math.round(kept / size).toLocaleString('en-US'),
    ]
  })
  return {
    title: 'Memory of a compiled rule set',
    unit: 'MiB of heap beyond the rules themselves',
    columns: ['rules', 'rules as JSON, MiB', 'compiled, MiB', 'bytes a rule'],
    rows,
    ...(globalThis.gc ? {} : { note: 'Run without --expose-gc: figures include garbage.' }),
  }
}

function heap(): number {
  globalThis.gc?.()
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}
