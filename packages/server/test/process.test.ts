/** The server as a program: a real child process, with real signals. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Bundle, bundle } from '../proof/bundle.js'
import { TEST_ENVIRONMENT } from './support/settings.js'

interface Started {
  readonly child: ChildProcess
  /** Null when it ended before it was ready, or is not ready yet. */
  readonly url: string | null
  readonly output: () => string
  readonly ended: Promise<number | null>
}

let built: Bundle
beforeAll(async () => {
  built = await bundle('src/main.ts')
})
afterAll(() => built?.clean())

const folders: string[] = []
const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** @param until a text of its output that comes before it is ready. */
async function start(environment: Record<string, string>, until?: string): Promise<Started> {
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'plumbline-process-'))
  folders.push(DATA_DIR)
  const child = spawn(process.execPath, [built.file], {
    env: { PATH: process.env['PATH'], DATA_DIR, PORT: '0', PLUMBLINE_DEMO: 'false', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.push(child)
  let output = ''
  // Its last lines are read by then.
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  const url = await new Promise<string | null>((resolve) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString()
      const found = /"url":"(http:[^"]+)"/.exec(output)?.[1]
      if (found !== undefined) resolve(found)
      if (until !== undefined && output.includes(until)) resolve(null)
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    void ended.then(() => resolve(null))
  })
  return { child, url, output: () => output, ended }
}

/** The status, or the code of the error when there was no answer. */
const request = (url: string, agent: Agent): Promise<number | string> =>
  new Promise((resolve) => {
    get(url, { agent }, (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode ?? 0))
      response.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'error'))
    }).on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'error'))
  })

const quiet = { ...TEST_ENVIRONMENT, LOG_LEVEL: 'info' }

describe('the process', () => {
  it('cuts no request when it is told to stop under load', async () => {
    // Long enough that the balancer asks within it, however busy the machine is.
    const { child, url, output, ended } = await start({ ...quiet, SHUTDOWN_DELAY_MS: '5000' })
    if (url === null) throw new Error(output())
    const agent = new Agent({ keepAlive: true, maxSockets: 32 })
    const answers: (number | string)[] = []
    // As behind a balancer: it asks whether the process is ready, and sends nothing more once it is not.
    let isReady = true
    const balancer = (async () => {
      while (isReady) {
        isReady = (await request(`${url}/readyz`, new Agent())) === 200
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    })()
    const clients = Array.from({ length: 32 }, async () => {
      while (isReady) answers.push(await request(`${url}/api/health`, agent))
    })
    while (answers.length < 500) await new Promise((resolve) => setImmediate(resolve))
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
    await Promise.all([balancer, ...clients])
    agent.destroy()
    expect(new Set(answers)).toEqual(new Set([200]))
    expect(answers.length).toBeGreaterThan(500)
    expect(output()).toContain('store.migrated')
    expect(output()).toContain('stopped')
  })

  it.each<[string, NodeJS.Signals[], number]>([
    ['drains at a signal that came while it started', ['SIGTERM'], 0],
    ['ends at once at two signals that came while it started', ['SIGTERM', 'SIGINT'], 130],
  ])('%s', async (_what, signals, code) => {
    const { child, output, ended } = await start(quiet, 'published the rule libraries')
    // Stopped, it finds all of them at once. Two of one kind would be one.
    child.kill('SIGSTOP')
    for (const signal of signals) child.kill(signal)
    child.kill('SIGCONT')
    expect(await ended).toBe(code)
    expect(output().includes('stopped')).toBe(code === 0)
  })

  it('ends at once at the second signal', async () => {
    const { child, url, output, ended } = await start({ ...quiet, SHUTDOWN_DELAY_MS: '600000' })
    if (url === null) throw new Error(output())
    child.kill('SIGTERM')
    while (!output().includes('shutting down')) await new Promise((resolve) => setImmediate(resolve))
    child.kill('SIGTERM')
    expect(await ended).toBe(1)
    expect(output()).toContain('server.shutdown_timed_out')
    // Nothing goes on with a database that is closed.
    expect(output()).not.toContain('"level":"error"')
  })

  it('names every wrong setting and does not start', async () => {
    const { url, output, ended } = await start({ ...quiet, PORT: 'x', BASE_PATH: 'y', LIMITER_MAXX: '3' })
    expect(url).toBeNull()
    expect(await ended).toBe(1)
    expect(output()).toMatch(/PORT must be .*\nBASE_PATH must be|BASE_PATH must be .*\n.*PORT must be/s)
    expect(output()).toContain('such as `/api`')
    expect(output()).toContain('did you mean LIMITER_MAX?')
    expect(output()).not.toMatch(/\n\s+at /)
  })
})
