/** Compiled rule sets: the memory of the cached ones, and a check whose rule set is not cached. */
import type { BenchOptions, BenchTable } from '../harness.js'
import { withServer } from './served.js'

const RULES = 200

interface Measured {
  readonly missCpu: number
  readonly missP50: number
  readonly missP99: number
  readonly heapBytes: number
  readonly keptRules: number
}

export const ruleSetsTable = (script: string, { quick }: BenchOptions): Promise<BenchTable> =>
  withServer(
    script,
    async ({ target }) => {
      const [stored, held] = quick ? [20, 300] : [300, 10_000]
      await target.ask({ name: 'rules', count: 1, target: 'pipeline' })
      const { missCpu, missP50, missP99, heapBytes, keptRules } = await target.ask<Measured>({
        name: 'ruleSets',
        stored,
        held,
        rules: RULES,
      })
      return {
        title: `Rule sets of ${held.toLocaleString('en-US')} organizations with ${RULES} rules each`,
        unit: 'ms, MiB',
        columns: ['figure', 'value'],
        rows: [
          ['memory of what is held after all of them were used', (heapBytes / 2 ** 20).toFixed(0)],
          ['compiled rules that are held', keptRules.toLocaleString('en-US')],
          ['a set that is not held: processor time', missCpu.toFixed(2)],
          ['a set that is not held: p50', missP50.toFixed(2)],
          ['a set that is not held: p99', missP99.toFixed(2)],
        ],
        note: `At most 50,000 compiled rules are held, those used last; the others are compiled again when they are wanted. ${stored} organizations are stored, the others take their rules in turn. Wanted: 256 MiB, 5 ms.`,
      }
    },
    ['--expose-gc'],
  )
