/**
 * Runs a program of the operator on an image that may be hostile. It runs under bubblewrap, without the server's
 * environment, with a read-only file system without the server's data, its own process namespace, a time limit and an
 * output limit. It keeps the network, because scanners download their databases.
 */
import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import type { Readable } from 'node:stream'

interface Tool {
  /** Words separated by spaces; the folder of the image is appended. */
  readonly command: string
  /** A folder with an OCI layout. */
  readonly folder: string
  /** Hidden from the program. */
  readonly dataDir: string
  readonly timeoutMs: number
}

const OUTPUT_BYTES_MAX = 32 * 1024 ** 2
const ERROR_CHARS_MAX = 2000

export class ToolFault extends Error {}

/** Returns the output of the program. @throws ToolFault */
export function runTool({ command, folder, dataDir, timeoutMs }: Tool): Promise<Buffer> {
  const child = spawn(
    'bwrap',
    [...sandbox(folder, resolve(dataDir)), '--', ...command.split(/\s+/).filter(Boolean), '/tmp/image'],
    {
      // guard: the-environment-of-a-scanner
      env: { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: '/tmp' },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  return new Promise((done, reject) => {
    const chunks: Buffer[] = []
    let bytes = 0
    let said = ''
    const fail = (message: string) => {
      clearTimeout(timer)
      child.kill('SIGKILL')
      reject(new ToolFault(message))
    }
    // guard: a-scanner-that-is-late
    const timer = setTimeout(() => fail(`it took longer than ${timeoutMs / 1000} s`), timeoutMs)
    ;(child.stdout as Readable).on('data', (chunk: Buffer) => {
      bytes += chunk.length
      // guard: what-a-scanner-prints-is-bounded
      if (bytes > OUTPUT_BYTES_MAX) fail(`it printed more than ${OUTPUT_BYTES_MAX} bytes`)
      else chunks.push(chunk)
    })
    ;(child.stderr as Readable).on('data', (chunk: Buffer) => {
      said = `${said}${chunk.toString('utf8')}`.slice(-ERROR_CHARS_MAX)
    })
    child.once('error', (error) => {
      const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT'
      fail(isMissing ? 'bubblewrap is missing: `apt-get install bubblewrap`' : error.message)
    })
    child.once('close', (code, signal) => {
      clearTimeout(timer)
      if (code === 0) done(Buffer.concat(chunks))
      else reject(new ToolFault(`it ended with ${signal ?? code}: ${said.trim()}`))
    })
  })
}

const sandbox = (folder: string, dataDir: string): string[] => [
  ...['--die-with-parent', '--new-session', '--unshare-pid', '--unshare-ipc', '--unshare-uts'],
  ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
  // guard: a-scanner-does-not-see-the-data-of-the-server
  ...['--tmpfs', dataDir],
  ...['--tmpfs', '/tmp', '--ro-bind', folder, '/tmp/image', '--chdir', '/tmp'],
]
