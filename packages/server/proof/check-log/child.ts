/**
 * The process under test: the whole app on a database that is there already, under clients that check at once. An answer is
 * noted, in a file beside, when it has left. Arguments: the engine, where the database is, the folder, the organization; the
 * token comes in the environment.
 */
import { openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { createApp } from '../../src/app.js'
import { createLog } from '../../src/runtime/log/log.js'
import { openPostgresStore, openSqliteStore } from '../../src/runtime/store/open-store.js'
import { testSettings } from '../../test/support/settings.js'

const CLIENTS = 32
const [engine = '', place = '', folder = '', orgId = ''] = process.argv.slice(2)

const store =
  engine === 'postgres' ? await openPostgresStore({ url: place, connectionsMax: 8 }) : await openSqliteStore(place)
const settings = testSettings({ DATA_DIR: folder, LIMITER_MAX: '0' })
const log = createLog({ level: 'error', destination: { write: (line: string) => void process.stderr.write(line) } })
const app = createApp({ store, settings, log, print: () => {} })
const answered = openSync(join(folder, 'answered'), 'a')
process.stdout.write('ready\n')

async function client(): Promise<never> {
  for (let at = 0; ; at++) {
    const response = await app.http.fetch(
      new Request('http://plumbline.test/api/compliance/validate/plugin', {
        method: 'POST',
        headers: {
          authorization: `Bearer ${process.env['CHECK_LOG_TOKEN']}`,
          'x-org-id': orgId,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ attributes: { version: at % 2 === 0 ? 'latest' : '1.0.0' } }),
      }),
    )
    const { data } = (await response.json()) as { data?: { checkId: string; blocked: boolean } }
    if (response.status !== 200 || data === undefined) throw new Error(`${response.status}`)
    writeSync(answered, `${data.checkId} ${data.blocked}\n`)
  }
}
await Promise.all(Array.from({ length: CLIENTS }, client))
