/**
 * Starts a process that reads untrusted input: it has no access to the server's settings, and the server does not wait
 * for it to exit.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'

export interface ReaderProgram {
  /** Next to the bundle; without a bundle the sources run directly. */
  readonly built: URL
  readonly source: URL
  readonly heapMib: number
  /** Whether it reads bytes from its standard input. */
  readonly hasInput: boolean
}

export function startReader({ built, source, heapMib, hasInput }: ReaderProgram): ChildProcess {
  const isBuilt = existsSync(built)
  const child = fork(fileURLToPath(isBuilt ? built : source), [], {
    // Nothing of the server's environment is passed on: its settings contain secrets.
    // guard: the-environment-of-the-reader
    // guard: the-environment-of-the-reader-of-layers
    env: {},
    execArgv: [`--max-old-space-size=${heapMib}`, ...(isBuilt ? [] : ['--import', import.meta.resolve('tsx')])],
    stdio: [hasInput ? 'pipe' : 'ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'json',
  })
  child.unref()
  child.channel?.unref()
  const input = child.stdin as (Writable & { unref?: () => void }) | null
  input?.unref?.()
  // A reader that has ended does not read the rest of its input.
  input?.on('error', () => undefined)
  return child
}
