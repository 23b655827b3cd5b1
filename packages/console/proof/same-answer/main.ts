/**
 * `npm run proof -- same-answer [--rules 2000] [--entities 40] [--seed 1] [--database URL]`: what the page says of a draft is what
 * the server counts and a scan records. Fails on the first kinds of difference, and when nothing told the rules apart.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startServer } from '../../../server/src/index.js'
import { type Api, compare, inventoryOf } from './compare.js'

const { values } = parseArgs({
  options: {
    rules: { type: 'string', default: '2000' },
    entities: { type: 'string', default: '40' },
    seed: { type: 'string', default: '1' },
    database: { type: 'string', default: '' },
  },
})
const [rules, size, seed] = [values.rules, values.entities, values.seed].map(Number) as [number, number, number]
if (![rules, size, seed].every((each) => Number.isSafeInteger(each) && each > 0)) {
  console.error('--rules, --entities and --seed must be whole numbers from 1')
  process.exit(2)
}

const folder = mkdtempSync(join(tmpdir(), 'plumbline-same-answer-'))
let printed = ''
const environment = {
  DATA_DIR: join(folder, 'data'),
  PORT: '0',
  PLUMBLINE_DEMO: 'true',
  PASSWORD_HASH_COST: '4',
  LIMITER_MAX: '0',
  NODE_ENV: 'test',
  LOG_LEVEL: 'silent',
  SHUTDOWN_DELAY_MS: '0',
  ...(values.database === '' ? {} : { DATABASE_URL: values.database }),
}
const server = await startServer({
  environment,
  print: (text) => {
    printed += text
  },
})
const token = /plp_[\w-]+/.exec(printed)?.[0] ?? ''
const api: Api = async <T>(method: string, path: string, body?: unknown) => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const answer = await fetch(`${server.url}/api${path}`, { method, headers, ...sent })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path}: ${text}`)
  return (text === '' ? undefined : (JSON.parse(text) as { data: T }).data) as T
}

const startMs = performance.now()
const entities = await inventoryOf(api, size, seed)
const { differences, telling, refused, scanned } = await compare(api, entities, rules, seed)
const isProved = differences.length === 0 && telling > rules / 20 && refused > 0 && scanned > 0
const seconds = ((performance.now() - startMs) / 1000).toFixed(0)
console.log(
  `${isProved ? 'pass' : 'FAIL'}  same answer, seed ${seed}: ${rules} rules on ${entities.length} records in ${seconds} s; ${telling} hit some and not others, ${refused} refused by both, ${scanned} scanned`,
)
for (const each of differences.slice(0, 5)) console.log(`      ${each}`)
await server.stop()
rmSync(folder, { recursive: true, force: true })
process.exit(isProved ? 0 : 1)
