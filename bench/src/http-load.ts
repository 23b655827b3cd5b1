/**
 * Target processes, and the load on them. The load generator is a separate process on the same cores, so that the
 * figures of a target are its own.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { createInterface, type Interface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const load = fileURLToPath(new URL('server/load.mjs', import.meta.url))
export const CLIENTS = 64

export interface Load {
  readonly requests: number
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  readonly statuses: Readonly<Record<string, number>>
}

export interface Request {
  readonly method: string
  readonly path: string
  readonly headers?: Record<string, string>
  readonly body?: string
  readonly unique?: boolean
  /** A JSON file with a list of bodies, headers and paths, instead of a single request. */
  readonly file?: string
  /** The header for the HMAC-SHA256 of the body. */
  readonly sign?: { readonly header: string; readonly secret: string }
}

/** A target process that exchanges lines of JSON. */
export class Target {
  readonly #child: ChildProcess
  readonly #lines: AsyncIterator<string>
  readonly #reader: Interface

  constructor(script: string, args: readonly string[], flags: readonly string[] = []) {
    this.#child = spawn(process.execPath, [...flags, script, ...args], { stdio: ['pipe', 'pipe', 'inherit'] })
    this.#reader = createInterface({ input: this.#child.stdout as NodeJS.ReadableStream })
    this.#lines = this.#reader[Symbol.asyncIterator]()
  }

  async next<T>(): Promise<T> {
    const { value, done } = await this.#lines.next()
    if (done === true) throw new Error('the target ended')
    return JSON.parse(value) as T
  }

  /** @param task what the process should do. Without it, the process returns its counts. */
  ask<T>(task?: object): Promise<T> {
    this.#child.stdin?.write(`${task === undefined ? '' : JSON.stringify(task)}\n`)
    return this.next<T>()
  }

  stop(): void {
    this.#reader.close()
    this.#child.kill('SIGKILL')
  }
}

export interface Amount {
  readonly ms: number
  readonly requests?: number
  readonly clients?: number
  /** The index of the first list entry to send. */
  readonly from?: number
}

export async function generate(
  port: number,
  request: Request,
  { clients = CLIENTS, ...amount }: Amount,
): Promise<Load> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    load,
    JSON.stringify({ port, clients, ...amount, ...request }),
  ])
  const result = JSON.parse(stdout) as Load
  // Refusals are fast and would distort the rate.
  const bad = Object.keys(result.statuses).filter((status) => !status.startsWith('2'))
  if (bad.length > 0) throw new Error(`${request.method} ${request.path} answered ${JSON.stringify(result.statuses)}`)
  return result
}
