/**
 * Runs commands in parallel, and shows what they do in one line. On a terminal the line is rewritten; otherwise each
 * step prints a line. The output of a command is shown only if the command fails.
 */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

const REWRITE_MS = 500
const running = new Map()
const startedMs = performance.now()
let done = 0
let timer

/** Runs a command without output. Resolves to its exit code and output, and never rejects. */
export function runQuietly(what, command, args, { env, cwd = root } = {}) {
  return new Promise((resolve) => {
    let output = ''
    const child = spawn(command, args, {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
      env: { ...process.env, ...env },
    })
    begin(what, child)
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8')
      stream.on('data', (text) => {
        output += text
      })
    }
    const end = (code) => {
      finish(what)
      resolve({ code, output })
    }
    child.on('error', (error) => {
      output += error.message
      end(127)
    })
    child.on('close', (code) => end(code ?? 1))
  })
}

/** Runs a command. If it fails, prints its output and ends the process. */
export async function mustRun(what, command, args, options) {
  const { code, output } = await runQuietly(what, command, args, options)
  if (code === 0) return
  clearLine()
  process.stderr.write(output)
  console.error(`\`${[command, ...args].join(' ')}\` failed`)
  stopAll()
  process.exit(code)
}

/**
 * Runs tasks, each after the tasks that it depends on.
 *
 * @param {readonly { name: string, after: readonly string[], run: () => Promise<void> }[]} tasks
 * @param {number} most Maximum number of tasks at a time.
 */
export async function runInOrder(tasks, most) {
  const waiting = [...tasks]
  const left = new Set(tasks.map(({ name }) => name))
  const active = new Set()
  const worker = async () => {
    while (waiting.length > 0) {
      const index = waiting.findIndex(({ after }) => after.every((name) => !left.has(name)))
      if (index < 0) {
        await Promise.race([...active])
        continue
      }
      const [task] = waiting.splice(index, 1)
      const work = task.run().then(() => {
        left.delete(task.name)
        active.delete(work)
      })
      active.add(work)
      await work
    }
  }
  await Promise.all(Array.from({ length: Math.max(1, most) }, worker))
}

/** Prints the total duration, if anything was done. */
export function endProgress() {
  if (done === 0) return
  console.error(`Set up in ${seconds()} s`)
  done = 0
}

function begin(what, child) {
  running.set(what, child)
  if (process.stderr.isTTY) {
    timer ??= setInterval(show, REWRITE_MS)
    show()
  } else console.error(`Setting up, ${seconds()} s: ${what}`)
}

function finish(what) {
  running.delete(what)
  done += 1
  if (running.size > 0) return
  clearInterval(timer)
  timer = undefined
  clearLine()
}

function show() {
  if (running.size === 0) return
  clearLine()
  const text = `Setting up, ${seconds()} s: ${[...running.keys()].join(', ')} …`
  process.stderr.write(text.slice(0, (process.stderr.columns ?? 80) - 1))
}

function clearLine() {
  if (process.stderr.isTTY) process.stderr.write('\r\u001b[K')
}

const seconds = () => Math.round((performance.now() - startedMs) / 1_000)

function stopAll(signal = 'SIGTERM') {
  for (const child of running.values()) child.kill(signal)
}

/** A signal to this process is passed to the running commands. */
for (const [signal, number] of [
  ['SIGINT', 2],
  ['SIGTERM', 15],
  ['SIGHUP', 1],
]) {
  process.on(signal, () => {
    if (running.size === 0) return
    clearLine()
    stopAll(signal)
    process.exit(128 + number)
  })
}
