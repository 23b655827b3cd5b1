/** Runs `npm start` on an empty data directory, as a new user would, and collects its output. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { root } from './workspace.mjs'

const READY_MS_MAX = 180_000
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

/**
 * Runs a fake server of the command line, such as `plumbline ai fake`, until it answers.
 *
 * @param {string[]} argv
 * @param {string} answers a URL that returns status 200 once the fake is ready
 * @returns {Promise<{ settings: Record<string, string>, stop: () => void }>} the printed settings make a server use the
 * fake.
 */
export async function startFake(argv, answers) {
  const command = join(root, 'packages', 'cli', 'bin', 'plumbline.js')
  const child = spawn(process.execPath, [command, ...argv], { stdio: ['ignore', 'pipe', 'inherit'] })
  running.add(child)
  let text = ''
  child.stdout.on('data', (chunk) => {
    text += chunk
  })
  const endMs = performance.now() + READY_MS_MAX
  while ((await statusOf(answers)) !== 200) {
    assert.ok(child.exitCode === null && performance.now() < endMs, `plumbline ${argv.join(' ')} does not answer`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  const lines = text.trim().split('\n')
  return {
    settings: Object.fromEntries(lines.map((line) => [line.split('=')[0], line.slice(line.indexOf('=') + 1)])),
    stop() {
      child.kill('SIGTERM')
      running.delete(child)
    },
  }
}

/** Stops processes that still run after a failure. */
export function stopAll() {
  for (const child of running) child.kill('SIGTERM')
}

/** The status of the answer; 0 while no server listens. */
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
