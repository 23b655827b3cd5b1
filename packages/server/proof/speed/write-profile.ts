/**
 * `npx tsx packages/server/proof/speed/write-profile.ts [URL]`: what one audited write over HTTP costs on PostgreSQL, in processor
 * time of the server and of its backends, and how many transactions there are for one. 48 clients; the fastest of five rounds. URL is
 * a server on which a database may be made; the backends must run on this machine.
 */
import { execFile, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import { bundle } from '../bundle.js'

const [adminUrl = 'postgres://postgres@127.0.0.1:5432/postgres'] = process.argv.slice(2)
const LOAD = fileURLToPath(new URL('../../../../bench/src/server/load.mjs', import.meta.url))
const CLIENTS = 48
const WRITES = 3000
const ROUNDS = 5
const TICK_MS = 10

interface Ready {
  readonly port: number
  readonly accessToken: string
  readonly orgId: string
}

/** Processor time of a process so far; 0 of one that is gone. */
function cpuMs(pid: number): number {
  try {
    const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
    const [user = 0, system = 0] = fields.split(' ').slice(11, 13).map(Number)
    return (user + system) * TICK_MS
  } catch {
    return 0
  }
}

const built = await bundle('proof/speed/target.ts')
const name = `plumbline_profile_${process.pid}`
const admin = new pg.Client({ connectionString: adminUrl })
await admin.connect()
await admin.query(`CREATE DATABASE ${name}`)
const url = new URL(adminUrl)
url.pathname = `/${name}`
const server = spawn(process.execPath, [built.file, 'server', url.href], { stdio: ['pipe', 'pipe', 'inherit'] })

async function readyOf(): Promise<Ready> {
  for await (const line of createInterface({ input: server.stdout })) return JSON.parse(line) as Ready
  throw new Error('the server ended before it was ready')
}

async function load({ port, accessToken, orgId }: Ready): Promise<{ perSecond: number; p50: number }> {
  const task = {
    port,
    clients: CLIENTS,
    ms: 120_000,
    requests: WRITES,
    method: 'POST',
    path: `/api/bench/${orgId}/roles`,
    headers: { authorization: `Bearer ${accessToken}` },
    body: JSON.stringify({ name: 'Role {n}', description: 'made here', permissions: ['pipelines:read'] }),
    unique: true,
  }
  const { stdout } = await promisify(execFile)(process.execPath, [LOAD, JSON.stringify(task)])
  return JSON.parse(stdout)
}

async function costs(): Promise<{ backendsMs: number; commits: number }> {
  const backends = await admin.query<{ pid: number }>('SELECT pid FROM pg_stat_activity WHERE datname = $1', [name])
  const { rows } = await admin.query('SELECT xact_commit FROM pg_stat_database WHERE datname = $1', [name])
  return {
    backendsMs: backends.rows.reduce((sum, { pid }) => sum + cpuMs(pid), 0),
    commits: Number(rows[0].xact_commit),
  }
}

try {
  const ready = await readyOf()
  const rounds: { perSecond: number; p50: number; server: number; backends: number; commits: number }[] = []
  // The first one opens the connections and warms both sides.
  await load(ready)
  for (let round = 0; round < ROUNDS; round++) {
    const serverMs = cpuMs(server.pid ?? 0)
    const before = await costs()
    const { perSecond, p50 } = await load(ready)
    const after = await costs()
    rounds.push({
      perSecond,
      p50,
      server: ((cpuMs(server.pid ?? 0) - serverMs) * 1000) / WRITES,
      backends: ((after.backendsMs - before.backendsMs) * 1000) / WRITES,
      commits: (after.commits - before.commits) / WRITES,
    })
  }
  const [best] = rounds.sort((a, b) => b.perSecond - a.perSecond)
  if (best === undefined) throw new Error('nothing was measured')
  console.log(`${best.perSecond.toFixed(0)} writes/s, p50 ${best.p50.toFixed(1)} ms`)
  console.log(
    `processor time of a write: ${best.server.toFixed(0)} µs server, ${best.backends.toFixed(0)} µs PostgreSQL`,
  )
  console.log(`transactions for a write: ${best.commits.toFixed(2)}`)
} finally {
  server.kill('SIGKILL')
  await admin.query(`DROP DATABASE ${name} WITH (FORCE)`)
  await admin.end()
  built.clean()
}
process.exit()
