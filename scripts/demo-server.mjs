/** `npm start` on an empty data directory, as a reader begins: what it printed, and an end without an error. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { root } from './workspace.mjs'

const READY_MS_MAX = 60_000
const running = new Set()

/**
 * Runs `npm start` until it is ready and has printed what it should.
 *
 * @param {{ port: number, data: string, printed?: RegExp, env?: Record<string, string> }} options
 */
export async function startDemo({ port, data, printed = /(?:)/, env = {} }) {
  const child = spawn('npm', ['start', '--silent'], {
    cwd: root,
    env: {
      ...process.env,
      PORT: String(port),
      DATA_DIR: data,
      NODE_ENV: 'development',
      SHUTDOWN_DELAY_MS: '0',
      ...env,
    },
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
  while ((await statusOf(`http://127.0.0.1:${port}/readyz`)) !== 200 || !printed.test(text)) {
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
      assert.equal(await statusOf(`http://127.0.0.1:${port}/readyz`), 0, 'nothing listens any more')
    },
  }
}

/** Ends what still runs after a failure. */
export function stopAll() {
  for (const child of running) child.kill('SIGTERM')
}

/** The status of the answer; 0 while nothing listens. */
export async function statusOf(address) {
  try {
    const response = await fetch(address)
    await response.body?.cancel()
    return response.status
  } catch {
    return 0
  }
}

export function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address()
      probe.close(() => resolve(port))
    })
  })
}
