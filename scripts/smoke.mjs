/**
 * The README's first minute, as CI runs it: `npm start` on an empty data directory, the call with the token that it prints,
 * a second start that prints none, and an end without an error at SIGTERM.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildIfStale, installIfNeeded, root } from './workspace.mjs'

const READY_MS_MAX = 60_000

installIfNeeded()
buildIfStale()
const data = mkdtempSync(join(tmpdir(), 'plumbline-smoke-'))
const running = new Set()
try {
  const port = await freePort()
  const first = await start(port, /plp_/)
  const [call, address, token] = /curl -s (\S+) -H "Authorization: Bearer (plp_[\w-]+)"/.exec(first.printed()) ?? []
  assert.ok(call, `npm start printed no call:\n${first.printed()}`)
  const { data: me } = await json(address, token)
  assert.equal(me.user.username, 'demo-owner')
  const { data: list } = await json(`http://127.0.0.1:${port}/api/organization/${me.organization.id}/members`, token)
  assert.deepEqual(list.members.map(({ username }) => username).sort(), ['demo-admin', 'demo-member', 'demo-owner'])
  const docs = await fetch(/\S+\/docs\b/.exec(first.printed())?.[0] ?? '')
  assert.equal(docs.status, 200)
  assert.equal((await fetch(address)).status, 401, 'a call without the token is refused')
  await first.stop()

  const second = await start(port)
  assert.equal((await json(address, token)).data.user.username, 'demo-owner')
  await second.stop()
  assert.doesNotMatch(second.printed(), /plp_/, 'a second start shows no token')
  console.log(
    'npm start: ready, the printed call answered, stopped with exit code 0; the second start printed no secret',
  )
} finally {
  for (const child of running) child.kill('SIGTERM')
  rmSync(data, { recursive: true, force: true })
}

/** Runs `npm start` until it is ready and has printed what it should. */
async function start(port, printed = /(?:)/) {
  const child = spawn('npm', ['start', '--silent'], {
    cwd: root,
    env: { ...process.env, PORT: String(port), DATA_DIR: data, NODE_ENV: 'development', SHUTDOWN_DELAY_MS: '0' },
    stdio: ['ignore', 'ignore', 'pipe'],
    shell: process.platform === 'win32',
  })
  running.add(child)
  let text = ''
  child.stderr.on('data', (chunk) => {
    text += chunk
  })
  const ended = new Promise((resolve) => child.on('exit', (code, signal) => resolve(code ?? signal)))
  const endMs = performance.now() + READY_MS_MAX
  while ((await status(`http://127.0.0.1:${port}/readyz`)) !== 200 || !printed.test(text)) {
    assert.equal(child.exitCode, null, `npm start ended:\n${text}`)
    assert.ok(performance.now() < endMs, `not ready after ${READY_MS_MAX / 1000} s:\n${text}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return {
    printed: () => text,
    async stop() {
      child.kill('SIGTERM')
      const code = await ended
      running.delete(child)
      assert.equal(code, 0, `the exit code at SIGTERM:\n${text}`)
      assert.equal(await status(`http://127.0.0.1:${port}/readyz`), 0, 'nothing listens any more')
    },
  }
}

/** The status of the answer; 0 while nothing listens. */
async function status(address) {
  try {
    const response = await fetch(address)
    await response.body?.cancel()
    return response.status
  } catch {
    return 0
  }
}

async function json(address, token) {
  const response = await fetch(address, { headers: { authorization: `Bearer ${token}` } })
  assert.equal(response.status, 200, `${address} answered ${response.status}`)
  return response.json()
}

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address()
      probe.close(() => resolve(port))
    })
  })
}
