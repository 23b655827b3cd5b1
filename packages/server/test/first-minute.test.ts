/** The first minute: a server on an empty data directory, and what its terminal shows. */
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { wantsDemo } from '../src/demo/text.js'
import { createLog } from '../src/runtime/log/log.js'
import { type RunningServer, startServer } from '../src/server.js'
import { TEST_ENVIRONMENT } from './support/settings.js'

const folders: string[] = []
const running: RunningServer[] = []
afterEach(async () => {
  for (const server of running.splice(0)) await server.stop()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

const dataDir = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-first-'))
  folders.push(folder)
  return folder
}

/** Starts as a program would, with the terminal and the log kept apart. */
async function start(DATA_DIR: string, settings: Record<string, string> = {}) {
  const terminal: string[] = []
  const logged: string[] = []
  const server = await startServer({
    environment: {
      ...TEST_ENVIRONMENT,
      SHUTDOWN_DELAY_MS: '0',
      PORT: '0',
      PLUMBLINE_DEMO: 'true',
      DATA_DIR,
      ...settings,
    },
    log: createLog({ level: 'trace', destination: { write: (line: string) => void logged.push(line) } }),
    print: (text) => void terminal.push(text),
  })
  running.push(server)
  return { server, terminal: () => terminal.join(''), logged: () => logged.join('') }
}

async function freePort(): Promise<number> {
  const probe = createServer((socket) => socket.destroy())
  await new Promise<void>((ready) => probe.listen(0, '127.0.0.1', () => ready()))
  const { port } = probe.address() as { port: number }
  await new Promise((closed) => probe.close(closed))
  return port
}

const stop = (server: RunningServer) => running.splice(running.indexOf(server), 1)[0]?.stop()
const SECRET = /plp_[\w-]+|Demo-[\w-]{20,}/g

describe('the first minute', () => {
  it('shows a token with which the printed call is answered, and where the documentation is', async () => {
    const { server, terminal } = await start(dataDir())
    const [, address, token] = /curl -s (\S+) -H "Authorization: Bearer (plp_[\w-]+)"/.exec(terminal()) ?? []
    const answer = await fetch(address ?? '', { headers: { authorization: `Bearer ${token}` } })
    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({ data: { organization: { slug: 'demo', role: 'owner' } } })
    expect(terminal()).toContain(`${server.url}/api/docs`)
    expect((await fetch(`${server.url}/api/docs`)).status).toBe(200)
    expect(terminal()).toContain('tier limits are not enforced')
  })

  it('is ready when the demo has been shown, and not before', async () => {
    const port = await freePort()
    // The passwords of the demo take long enough for many questions.
    const starting = start(dataDir(), { PORT: String(port), PASSWORD_HASH_COST: '15' })
    let isUp = false
    void starting.then(() => (isUp = true))
    const answers: [number, string][] = []
    while (!isUp) {
      const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null)
      if (answer !== null && !isUp)
        answers.push([answer.status, ((await answer.json()) as { checks: { process: string } }).checks.process])
    }
    expect(new Set(answers.map(String))).toEqual(new Set(['503,starting']))
    const { server, terminal, logged } = await starting
    expect(terminal()).toMatch(SECRET)
    // A probe that asks too early is not a failure.
    expect(logged()).not.toContain('request failed')
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
  })

  it('writes links with the address that it listens at, unless one is set', async () => {
    const linkOf = async (settings: Record<string, string>) => {
      const { server, terminal } = await start(dataDir(), { PLUMBLINE_DEMO: 'false', ...settings })
      const body = { username: 'ada', email: 'ada@plumbline.test', password: 'Correct-Horse-7' }
      const headers = { 'content-type': 'application/json' }
      await fetch(`${server.url}/api/auth/register`, { method: 'POST', headers, body: JSON.stringify(body) })
      await server.app.background.worker.settle()
      const link = /(https?:\S+)\/verify-email\?token=/.exec(terminal())?.[1]
      return link === server.url ? 'its own' : link
    }
    expect(await linkOf({ PUBLIC_URL: '' })).toBe('its own')
    expect(await linkOf({ PUBLIC_URL: '', HOST: '0.0.0.0' })).toBe('its own')
    expect(await linkOf({ PUBLIC_URL: 'https://api.example' })).toBe('https://api.example')
    expect(await linkOf({ PUBLIC_URL: 'https://api.example', APP_URL: 'https://app.example/p' })).toBe(
      'https://app.example/p',
    )
  })

  it('shows an address that can be called where it listens everywhere', async () => {
    const { server } = await start(dataDir(), { HOST: '0.0.0.0' })
    expect(server.url).toMatch(/^http:\/\/localhost:\d+$/)
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
  })

  it('says that tier limits are enforced where billing is on', async () => {
    const { terminal } = await start(dataDir(), { BILLING_ENABLED: 'true' })
    expect(terminal()).toContain('its limits apply')
  })

  it('shows the secrets on the terminal once, and never in the log', async () => {
    const folder = dataDir()
    const first = await start(folder)
    const secrets = [...new Set(first.terminal().match(SECRET))]
    expect(secrets).toHaveLength(2)
    await stop(first.server)
    for (const secret of secrets) expect(first.logged()).not.toContain(secret)
    expect(first.logged()).toContain('stopped')
    const second = await start(folder)
    expect(second.terminal()).toBe('')
    expect(second.logged().match(SECRET)).toBeNull()
  })

  it('makes nothing where the port is taken, so that no secret is lost', async () => {
    const folder = dataDir()
    const taken = createServer((socket) => socket.destroy())
    await new Promise<void>((ready) => taken.listen(0, '127.0.0.1', () => ready()))
    const { port } = taken.address() as { port: number }
    await expect(start(folder, { PORT: String(port) })).rejects.toThrow(`PORT ${port} is in use`)
    await new Promise((closed) => taken.close(closed))
    expect((await start(folder)).terminal()).toMatch(SECRET)
  })

  it('is empty when the settings say so', async () => {
    const { terminal } = await start(dataDir(), { PLUMBLINE_DEMO: 'false' })
    expect(terminal()).toBe('')
  })

  it('has a demo in development alone, unless the settings say otherwise', () => {
    const wanted = (NODE_ENV: 'development' | 'production' | 'test', PLUMBLINE_DEMO: boolean | null) =>
      wantsDemo({ NODE_ENV, PLUMBLINE_DEMO })
    expect(wanted('development', null)).toBe(true)
    expect([wanted('production', null), wanted('test', null)]).toEqual([false, false])
    expect([wanted('development', false), wanted('production', true)]).toEqual([false, true])
  })
})
