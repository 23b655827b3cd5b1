/**
 * The process of a reader of untrusted input: kept between requests, replaced once it has ended, and asked for one
 * answer at a time.
 */
import type { ChildProcess } from 'node:child_process'
import { type ReaderProgram, startReader } from './start-reader.js'

/** Somebody else ended the process, such as an operator or the kernel. It says nothing about the input. */
export class ReaderEnded extends Error {}

export interface ReaderChild {
  /** The process for the next request. */
  take(): { readonly reader: ChildProcess; readonly isNew: boolean }
  /** Ends the process: the next request gets a new one. */
  end(): void
}

export function createReaderChild(program: ReaderProgram): ReaderChild {
  let child: ChildProcess | null = null
  return {
    take() {
      // guard: a-reader-that-ended-while-idle
      if (child !== null && hasEnded(child)) child = null
      const isNew = child === null
      child ??= startReader(program)
      return { reader: child, isNew }
    },
    end() {
      child?.removeAllListeners()
      child?.kill('SIGKILL')
      child = null
    },
  }
}

const hasEnded = ({ exitCode, signalCode, connected }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null || !connected

/**
 * Sends a request to the process, and waits for its answer or its exit. The caller removes the listeners.
 *
 * @param overLimits the fault of the input, for a process that ran out of its memory or whose runtime crashed.
 * @throws ReaderEnded; what `overLimits` makes; Error when the process cannot be asked.
 */
export function askReader<Answer extends { readonly id: number }>(
  reader: ChildProcess,
  request: { readonly id: number },
  overLimits: (how: string) => Error,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    reader.on('message', (message: Answer) => {
      if (message.id === request.id) resolve(message)
    })
    reader.on('error', reject)
    reader.on('exit', (code, signal) => {
      // guard: a-reader-that-somebody-ended
      if (isFromOutside(signal)) reject(new ReaderEnded(`its reader was ended by ${signal}`))
      else reject(overLimits(signal ?? `exit ${code}`))
    })
    reader.send(request, (error) => {
      // The exit of a process that has just ended tells why.
      if (error !== null && !isGone(error)) reject(error)
    })
  })
}

/** A runtime that runs out of memory or crashes ends itself by other signals. */
const isFromOutside = (signal: NodeJS.Signals | null): boolean =>
  signal !== null && ['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'].includes(signal)

/** The process no longer reads what is sent to it: its exit tells why. */
export const isGone = (error: unknown): boolean =>
  /^(?:EPIPE|ECONNRESET|ERR_STREAM_PREMATURE_CLOSE|ERR_STREAM_DESTROYED|ABORT_ERR|ERR_IPC_CHANNEL_CLOSED)$/.test(
    String((error as NodeJS.ErrnoException).code),
  )
