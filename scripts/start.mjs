/**
 * `npm start [-- --port 8080 --data FOLDER --empty]`: installs and builds what is missing, then runs the server until a
 * signal stops it. The data is in `./data` unless the settings say otherwise.
 *
 * package.json starts the command with `exec`, so that a signal to npm reaches this process. A shell in between would
 * end and leave the server running.
 */
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { join } from 'node:path'
import { buildIfStale, installIfNeeded, root } from './workspace.mjs'

await installIfNeeded({ toRun: true })
await buildIfStale({ types: false })

// The server gets its own process group. The terminal sends a signal to the whole group, and npm passes it on as well.
// The server would take the second one as the request to cut running requests.
const server = spawn(
  process.execPath,
  [join(root, 'packages', 'cli', 'bin', 'plumbline.js'), 'serve', ...process.argv.slice(2)],
  { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], detached: process.platform !== 'win32' },
)
const SAME_MS = 500
let lastMs = Number.NEGATIVE_INFINITY
let stoppedBy = null
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    const nowMs = performance.now()
    const isCopy = nowMs - lastMs < SAME_MS
    lastMs = nowMs
    if (isCopy) return
    stoppedBy ??= signal
    server.kill('SIGTERM')
  })
}
server.on('error', (error) => {
  console.error(`the server cannot be started: ${error.message}`)
  process.exitCode = 1
})
server.on('exit', (code) => {
  if (code === null && stoppedBy !== null) {
    console.error('stopped while starting')
    process.exitCode = 128 + constants.signals[stoppedBy]
  } else process.exitCode = code ?? 1
})
