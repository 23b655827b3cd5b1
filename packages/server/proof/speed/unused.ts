/**
 * `unused.ts ROUNDS`: what generation and sign-on cost a server that uses neither: its start until it answers, and its memory then, with
 * and without their modules, in turns. Prints one line of JSON.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { TEST_ENVIRONMENT, testSettings } from '../../test/support/settings.js'
import { bundle } from '../bundle.js'

const SETTLED_MS = 300
const [rounds = '5'] = process.argv.slice(2)
const all = testSettings().PLUMBLINE_MODULES
const lists = { with: all, without: all.filter((name) => name !== 'ai' && name !== 'sso') }
if (lists.without.length !== all.length - 2) throw new Error(`the modules are ${all}`)
const built = await bundle('src/main.ts')
const folder = mkdtempSync(join(tmpdir(), 'plumbline-unused-'))

async function start(modules: readonly string[]): Promise<{ ms: number; mb: number }> {
  const began = performance.now()
  const env = { ...TEST_ENVIRONMENT, PATH: process.env['PATH'], LOG_LEVEL: 'info', PORT: '0', DATA_DIR: folder }
  const child = spawn(process.execPath, [built.file], {
    env: { ...env, PLUMBLINE_DEMO: 'false', SHUTDOWN_DELAY_MS: '0', PLUMBLINE_MODULES: modules.join(',') },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  const ready = new Promise<number>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      text += chunk
      if (/"event":"server.ready"/.test(text)) resolve(performance.now() - began)
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.on('exit', (code) => reject(new Error(`the server ended with ${code}: ${text}`)))
  })
  const ms = await ready
  await sleep(SETTLED_MS)
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
  child.removeAllListeners('exit')
  const ended = new Promise((resolve) => child.on('exit', resolve))
  child.kill('SIGKILL')
  await ended
  return { ms, mb: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024 }
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0
try {
  await start(lists.with)
  const measured = { with: [] as { ms: number; mb: number }[], without: [] as { ms: number; mb: number }[] }
  for (let round = 0; round < Number(rounds); round++) {
    for (const name of ['with', 'without'] as const) measured[name].push(await start(lists[name]))
  }
  const of = (name: 'with' | 'without', field: 'ms' | 'mb') => median(measured[name].map((each) => each[field]))
  const shown = (name: 'with' | 'without') => ({ ms: of(name, 'ms'), mb: of(name, 'mb') })
  console.log(JSON.stringify({ with: shown('with'), without: shown('without') }))
} finally {
  built.clean()
  rmSync(folder, { recursive: true, force: true })
}
