/** The cost of row-level security, and the effect of replicas. Skipped if no PostgreSQL answers. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { bundle } from '../../../packages/server/proof/bundle.js'
import { type BenchOptions, type BenchTable, formatRate, median } from '../harness.js'
import { postgresAnswers, postgresUrl } from '../postgres-url.js'

export async function postgresTables({ quick }: BenchOptions): Promise<BenchTable[]> {
  if (!(await postgresAnswers())) return []
  return [await rowSecurity(quick), await replicas(quick)]
}

async function rowSecurity(quick: boolean): Promise<BenchTable> {
  const built = await bundle('proof/speed/postgres.ts')
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [built.file, postgresUrl, quick ? '200' : '3000'])
    const rounds = JSON.parse(stdout) as { without: number; secured: number }[]
    const without = median(rounds.map((round) => round.without))
    const secured = median(rounds.map((round) => round.secured))
    return {
      title: 'PostgreSQL: a point read, 64 clients on 8 connections, in process',
      unit: 'reads/s',
      columns: ['read', 'reads/s', 'of the first'],
      rows: [
        ['one statement, no role, no row-level security (the limit)', formatRate(without), '1.00'],
        [
          'the store: tenant role, row-level security, a transaction of its own',
          formatRate(secured),
          (secured / without).toPrecision(3),
        ],
      ],
      note: 'BEGIN with the settings, the query and COMMIT go out together: one round trip. Required: 0.3.',
    }
  } finally {
    built.clean()
  }
}

async function replicas(quick: boolean): Promise<BenchTable> {
  const target = await bundle('proof/speed/target.ts')
  const script = await bundle('proof/speed/replicas.ts')
  const load = fileURLToPath(new URL('load.mjs', import.meta.url))
  try {
    const args = [script.file, postgresUrl, target.file, load, quick ? '300' : '3000']
    const { stdout } = await promisify(execFile)(process.execPath, args)
    const found = JSON.parse(stdout) as { replicas: number; reads: number; writes: number }[]
    const [one] = found
    const share = (rate: number, of = Number.NaN) => (rate / of).toPrecision(3)
    return {
      title: 'PostgreSQL: replicas over one database, 48 clients in all, over HTTP',
      unit: 'requests/s',
      columns: ['replicas', 'reads/s', 'of one', 'audited writes/s', 'of one'],
      rows: found.map(({ replicas, reads, writes }) => [
        String(replicas),
        formatRate(reads),
        share(reads, one?.reads),
        formatRate(writes),
        share(writes, one?.writes),
      ]),
      note: 'Replicas, database and load generators share the cores of one machine, so this shows what a replica costs there, not what it adds on a machine of its own. Rate limits are local to each, since there is no Redis; wake-ups go over the notifications of PostgreSQL.',
    }
  } finally {
    target.clean()
    script.clean()
  }
}
