/**
 * The processes that the benchmark of the console loads. `server FOLDER`: the built server with its demo. `file PATH
 * TYPE`: bare Hono that answers with the bytes of a file, the limit. Each prints one line of JSON when it is ready, and
 * one with its processor time for each line that it reads.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { serve } from '@hono/node-server'
import { startServer } from '@plumbline/server'
import { Hono } from 'hono'

const say = (value) => process.stdout.write(`${JSON.stringify(value)}\n`)
const [mode, where = '', type = ''] = process.argv.slice(2)

if (mode === 'file') {
  const bytes = readFileSync(where)
  const headers = { 'content-type': type, 'content-encoding': 'br', 'content-length': String(bytes.length) }
  const app = new Hono()
  app.get('/file', (c) => c.body(bytes, 200, headers))
  serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => say({ port }))
} else {
  let shown = ''
  const environment = {
    DATA_DIR: join(where, 'data'),
    PORT: '0',
    PLUMBLINE_DEMO: 'true',
    LOG_LEVEL: 'silent',
    SHUTDOWN_DELAY_MS: '0',
    // All requests come from one address and one person.
    LIMITER_MAX: '0',
    AUTH_LIMITER_MAX: '200',
  }
  const print = (text) => {
    shown += text
  }
  const { url } = await startServer({ environment, print })
  say({ url, port: Number(new URL(url).port), password: /password\s+(\S+)/.exec(shown)?.[1] })
}
createInterface({ input: process.stdin }).on('line', () => say({ cpu: process.cpuUsage() }))
