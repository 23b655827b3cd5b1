/** Calls of a directory (SCIM) in a large organization, on SQLite, and on PostgreSQL if one answers. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { bundle } from '../../../packages/server/proof/bundle.js'
import type { BenchArea, BenchTable } from '../harness.js'

interface Call {
  readonly name: string
  readonly ms: number
  readonly worstMs: number
  readonly cpuMs: number
  readonly statements: number | null
}

export const area: BenchArea = {
  name: 'directories',
  summary: 'calls of a directory in an organization of 10,000 people',
  async run({ quick }) {
    const [people, members, rounds] = quick ? ['60', '30', '2'] : ['10000', '5000', '30']
    const built = await bundle('proof/speed/scim.ts')
    const tables: BenchTable[] = []
    try {
      for (const engine of quick ? ['sqlite'] : ['sqlite', 'postgres']) {
        const args = [built.file, engine, people, members, rounds]
        const { stdout } = await promisify(execFile)(process.execPath, args)
        const calls = stdout
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as Call)
        tables.push({
          title: `A directory of ${people} people, a group of ${members}, ${engine === 'sqlite' ? 'SQLite' : 'PostgreSQL'}`,
          unit: 'ms of a call, ms of processor time of the server',
          columns: ['call', 'median', 'worst', 'processor', 'statements'],
          rows: calls.map(({ name, ms, worstMs, cpuMs, statements }) => [
            name,
            ms.toFixed(1),
            worstMs.toFixed(0),
            cpuMs.toFixed(1),
            statements ?? '',
          ]),
          note: 'Wanted: a member added or removed within 20 ms, a filter within 20 ms.',
        })
      }
    } finally {
      built.clean()
    }
    return tables
  },
}
