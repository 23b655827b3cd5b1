/** What an operator meets at a start: each mistake is named, and nothing is made or lost by it. */

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadConfig } from '../src/config.js'
import { otherServer, useFolder } from '../src/data-folder.js'
import { withHost } from '../src/host.js'
import { Health } from '../src/runtime/health/health.js'
import { createLog, textLine } from '../src/runtime/log/log.js'
import { type RunningServer, startServer } from '../src/server.js'

let folder = ''
const running: { stop(): Promise<unknown> }[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plumbline-operator-'))
})
afterEach(async () => {
  for (const each of running.splice(0)) await each.stop()
  rmSync(folder, { recursive: true, force: true })
})

const environment = (more: Record<string, string> = {}) => ({
  DATA_DIR: folder,
  PORT: '0',
  PLUMBLINE_DEMO: 'false',
  NODE_ENV: 'test',
  SHUTDOWN_DELAY_MS: '0',
  ...more,
})
const lines: Record<string, unknown>[] = []
const log = () => createLog({ level: 'info', destination: { write: (line) => void lines.push(JSON.parse(line)) } })
async function start(more: Record<string, string> = {}): Promise<RunningServer> {
  const server = await startServer({ environment: environment(more), log: log(), print: () => undefined })
  running.push(server)
  return server
}

describe('a start', () => {
  it('is refused where the keys of the database are lost, and makes no others', async () => {
    await (await start()).stop()
    running.length = 0
    const keys = readFileSync(join(folder, 'keys.json'), 'utf8')
    rmSync(join(folder, 'keys.json'))
    await expect(start()).rejects.toThrow(/keys\.json is missing.*restore the file from a backup/)
    expect(existsSync(join(folder, 'keys.json'))).toBe(false)
    // The two ways out that it names.
    const { JWT_KEYS, SECRET_ENCRYPTION_KEYS, AUDIT_CHECKPOINT_KEY } = JSON.parse(keys) as Record<string, string>
    const named = environment({ JWT_KEYS, SECRET_ENCRYPTION_KEYS, AUDIT_CHECKPOINT_KEY } as Record<string, string>)
    expect(loadConfig({ environment: named }).ok).toBe(true)
    writeFileSync(join(folder, 'keys.json'), keys)
    expect(loadConfig({ environment: environment() }).ok).toBe(true)
  })

  it('says that another server uses the folder, and forgets one that has ended', async () => {
    writeFileSync(join(folder, 'server.json'), JSON.stringify({ pid: process.ppid, url: 'http://127.0.0.1:9' }))
    lines.length = 0
    await start()
    expect(lines.filter(({ message }) => /another server uses this data folder/.test(String(message)))).toEqual([
      expect.objectContaining({ level: 'warn', pid: process.ppid, url: 'http://127.0.0.1:9' }),
    ])
    writeFileSync(join(folder, 'server.json'), JSON.stringify({ pid: 2 ** 22 + 1, url: 'http://127.0.0.1:9' }))
    expect(otherServer(folder)).toBeNull()
    const release = useFolder(folder, 'http://127.0.0.1:1')
    expect(otherServer(folder)).toBeNull()
    release()
    expect(existsSync(join(folder, 'server.json'))).toBe(false)
  })

  it('names the program that has the port', async () => {
    const first = await start()
    const { port } = new URL(first.url)
    const other = mkdtempSync(join(tmpdir(), 'plumbline-operator-'))
    await expect(start({ PORT: port, DATA_DIR: other })).rejects.toThrow(
      `PORT ${port} is in use by another Plumbline server: set PORT, or start with --port ${Number(port) + 1}`,
    )
    const stranger: Server = createServer((_, response) => void response.end('hello'))
    await new Promise<void>((listening) => stranger.listen(0, '127.0.0.1', listening))
    const taken = (stranger.address() as AddressInfo).port
    // In a folder of its own: a server of this process that has a transaction open could not end it while this one waits for the file.
    await expect(start({ PORT: String(taken), DATA_DIR: other })).rejects.toThrow(
      `PORT ${taken} is in use by another program`,
    )
    stranger.close()
    rmSync(other, { recursive: true })
  })

  it('tells the log when Redis does not answer', async () => {
    lines.length = 0
    await start({ REDIS_URL: 'redis://127.0.0.1:1' })
    await expect
      .poll(() => lines.filter(({ check }) => check === 'redis'), { timeout: 60_000 })
      .toEqual([expect.objectContaining({ level: 'warn', problem: expect.stringMatching(/answer/) })])
  })
})

describe('a request that cannot be read', () => {
  it('says that its head is too large, and how large it may be', async () => {
    const { url } = await start()
    lines.length = 0
    const scopes = Array.from({ length: 1000 }, (_, n) => `scope=repository:org/tools-${n}:pull`).join('&')
    const answer = await fetch(`${url}/api/registry/token?service=plumbline-registry&${scopes}`)
    const { message, ...body } = (await answer.json()) as { message: string; requestId: string }
    expect([answer.status, body]).toEqual([
      413,
      { success: false, statusCode: 413, code: 'PAYLOAD_TOO_LARGE', requestId: expect.any(String) },
    ])
    expect(message).toMatch(/address and the headers of a request may have 16384 bytes.*fewer or shorter/)
    expect(answer.headers.get('x-request-id')).toBe(body.requestId)
    expect(lines).toContainEqual(expect.objectContaining({ status: 413, requestId: body.requestId }))
    // Just below it is read.
    const long = await fetch(`${url}/healthz?q=${'x'.repeat(15_000)}`)
    expect(long.status).toBe(200)
  })

  it('says that it is not HTTP', async () => {
    const { port, hostname } = new URL((await start()).url)
    const answered = await new Promise<string>((resolve, reject) => {
      let text = ''
      const socket = connect(Number(port), hostname, () => socket.write('\x16\x03\x01 hello\r\n\r\n'))
      socket.setEncoding('utf8')
      socket.on('data', (part: string) => {
        text += part
      })
      socket.on('error', reject).on('end', () => socket.end(() => resolve(text)))
    })
    expect(answered).toMatch(/^HTTP\/1\.1 400 [\s\S]*connection: close\r\n\r\n\{.*not a request of HTTP\/1\.1/)
  })
})

it('a command on the host leaves nothing where there is no database', async () => {
  await expect(withHost({ environment: environment() }, async () => 'run')).rejects.toThrow(
    `there is no database in DATA_DIR ${folder}`,
  )
  expect(readdirSync(folder)).toEqual([])
})

it('a check is told once when it begins to fail, and once when it is well again', async () => {
  let problem: string | undefined
  const told: unknown[] = []
  const health = new Health([{ name: 'redis', isOptional: true, check: async () => problem }])
  const stop = health.watch((...each) => void told.push(each), 5)
  const turns = () => new Promise((resolve) => setTimeout(resolve, 40))
  await turns()
  problem = 'does not answer'
  await expect.poll(() => told).toEqual([['redis', 'does not answer']])
  await turns()
  problem = undefined
  await expect
    .poll(() => told)
    .toEqual([
      ['redis', 'does not answer'],
      ['redis', null],
    ])
  stop()
})

it('a line for people has what the JSON has, and no control character', () => {
  const json = JSON.stringify({
    level: 'warn',
    time: '2026-01-15T09:30:00.000Z',
    message: 'redis: \u001b[31mgone',
    check: 'redis',
    problem: 'two words',
  })
  expect(textLine(json)).toBe('09:30:00 warn  redis: \\u001b[31mgone check=redis problem="two words"\n')
})
