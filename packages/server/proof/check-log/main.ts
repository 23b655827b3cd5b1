/**
 * `npm run proof -- check-log [--cycles 20] [--engine sqlite] [--seed 1]`: a process that checks is killed with SIGKILL at random moments,
 * again and again on the same database. Each verdict that left it must have its row, with the same result.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { inArray } from 'drizzle-orm'
import { createApp } from '../../src/app.js'
import { complianceTables } from '../../src/compliance/tables.js'
import { prepareFirstStart } from '../../src/identity/auth/first-start.js'
import { createLog } from '../../src/runtime/log/log.js'
import type { Store } from '../../src/runtime/store/db.js'
import { openSqliteStore } from '../../src/runtime/store/open-store.js'
import { testSettings } from '../../test/support/settings.js'
import { postgresStore } from '../../test/support/stores.js'
import { bundle } from '../bundle.js'
import { createRandom } from '../world/random.js'

const { values } = parseArgs({
  options: {
    cycles: { type: 'string', default: '20' },
    engine: { type: 'string', default: 'sqlite' },
    seed: { type: 'string', default: '1' },
  },
})
const [cycles, seed] = [Number(values.cycles), Number(values.seed)]
if (![cycles, seed].every((each) => Number.isSafeInteger(each) && each > 0)) {
  console.error('--cycles and --seed must be whole numbers from 1')
  process.exit(2)
}
if (!['sqlite', 'postgres'].includes(values.engine)) {
  console.error('--engine must be sqlite or postgres: only what outlives its process can be looked at')
  process.exit(2)
}

/** How long a process checks before it is killed, at most. */
const RUN_MS_MAX = 400
const ROWS_AT_ONCE = 400
const PASSWORD = 'Correct-Horse-7'

const folder = mkdtempSync(join(tmpdir(), 'plumbline-check-log-'))
const file = join(folder, 'plumbline.db')
const server = values.engine === 'postgres' ? await postgresStore() : null
const store: Store = server ?? (await openSqliteStore(file))
const settings = testSettings({ DATA_DIR: folder, LIMITER_MAX: '0', AUTH_LIMITER_MAX: '0' })
const log = createLog({ level: 'error', destination: { write: (line: string) => void process.stderr.write(line) } })
const app = createApp({ store, settings, log, print: () => {} })
await prepareFirstStart(app.runtime)

// biome-ignore lint/suspicious/noExplicitAny: what an answer holds is known where it is read
async function send(path: string, body: object, headers: Record<string, string> = {}): Promise<any> {
  const response = await app.http.fetch(
    new Request(`http://plumbline.test/api${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    }),
  )
  if (response.status >= 300) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return ((await response.json()) as { data: unknown }).data
}
const { organization } = await send('/auth/register', {
  ...{ username: 'ada', email: 'ada@plumbline.test', password: PASSWORD, organizationName: 'ada org' },
})
const token = async () => (await send('/auth/login', { identifier: 'ada', password: PASSWORD })).accessToken as string
await send(
  '/compliance/rules',
  { name: 'no latest', target: 'plugin', field: 'version', operator: 'neq', value: 'latest' },
  { authorization: `Bearer ${await token()}`, 'x-org-id': organization.id },
)

const random = createRandom(seed)
const child = await bundle('proof/check-log/child.ts')
const failures: string[] = []
let seen = 0
try {
  for (let cycle = 0; cycle < cycles && failures.length === 0; cycle++) {
    await runAndKill(await token(), random.next() * RUN_MS_MAX)
    const noted = answered().slice(seen)
    seen += noted.length
    failures.push(...(await missing(noted)).map((each) => `cycle ${cycle}: ${each}`))
  }
  if (seen < cycles) failures.push(`only ${seen} verdicts were answered: nothing was under load`)
} finally {
  child.clean()
  await app.close()
  await store.close()
  rmSync(folder, { recursive: true, force: true })
}
console.log(
  `${failures.length === 0 ? 'pass' : 'FAIL'}  check log on ${values.engine}: ${cycles} kills, ${seen} verdicts answered, each with its row`,
)
for (const failure of failures.slice(0, 10)) console.log(`      ${failure}`)
process.exit(failures.length === 0 ? 0 : 1)

async function runAndKill(accessToken: string, runMs: number): Promise<void> {
  const place = server?.url ?? file
  const running = spawn(process.execPath, [child.file, values.engine as string, place, folder, organization.id], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, CHECK_LOG_TOKEN: accessToken },
  })
  const gone = new Promise<void>((resolve, reject) => {
    running.on('exit', (code, signal) =>
      signal === 'SIGKILL' ? resolve() : reject(new Error(`the process ended by itself with ${code}`)),
    )
  })
  const before = answered().length
  while (running.exitCode === null && answered().length === before) await Promise.race([sleep(5), gone])
  await sleep(runMs)
  running.kill('SIGKILL')
  await gone
}

/** Whole lines only: the last one may be cut. */
function answered(): string[] {
  try {
    return readFileSync(join(folder, 'answered'), 'utf8').split('\n').slice(0, -1)
  } catch {
    return []
  }
}

async function missing(noted: readonly string[]): Promise<string[]> {
  const problems: string[] = []
  for (let at = 0; at < noted.length; at += ROWS_AT_ONCE) {
    const some = noted.slice(at, at + ROWS_AT_ONCE).map((line) => line.split(' ') as [string, string])
    const rows = await store.system.read((db) => {
      const { checks } = complianceTables(db)
      return db
        .select({ id: checks.id, result: checks.result })
        .from(checks)
        .where(
          inArray(
            checks.id,
            some.map(([id]) => id),
          ),
        )
    })
    const results = new Map(rows.map(({ id, result }) => [id, result]))
    for (const [id, blocked] of some) {
      const result = results.get(id)
      if (result !== (blocked === 'true' ? 'block' : 'pass')) problems.push(`${id} blocked ${blocked}: row ${result}`)
    }
  }
  return problems
}
