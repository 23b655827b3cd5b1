/** The published catalogue. */
import { type BenchOptions, type BenchTable, median } from '../harness.js'
import { withServer } from './served.js'

export const catalogTable = (script: string, { quick }: BenchOptions): Promise<BenchTable> =>
  withServer(script, async ({ target, call }) => {
    const rules = quick ? 1000 : 10_000
    await target.ask({ name: 'rules', count: 1, target: 'pipeline' })
    await target.ask({ name: 'published', count: rules })
    const pages = [
      ['first page of 50', '/compliance/published-rules?limit=50'],
      ['a page in the middle', `/compliance/published-rules?limit=50&offset=${rules / 2}`],
      ['by a part of the name', '/compliance/published-rules?limit=50&name=000'],
    ] as const
    const rows: (string | number)[][] = []
    for (const [name, path] of pages) {
      const times: number[] = []
      for (let round = 0; round < (quick ? 5 : 50); round++) {
        const startedMs = performance.now()
        await call('GET', path)
        times.push(performance.now() - startedMs)
      }
      rows.push([name, median(times).toFixed(1), Math.max(...times.slice(1)).toFixed(1)])
    }
    return {
      title: `The catalogue of ${rules.toLocaleString('en-US')} published rules`,
      unit: 'ms from the request to its answer, one at a time',
      columns: ['request', 'median', 'longest'],
      rows,
      note: 'Wanted: 20 ms.',
    }
  })
