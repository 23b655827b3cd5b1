/**
 * Reads uploaded archives in a process beside the server, one at a time: whatever an archive does to its reader, the server
 * goes on. A reader that is late, or that grew, is ended, and the next archive gets a new one.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Refusal } from '../../runtime/errors.js'
import { ArchiveFault, fault } from './fault.js'
import type { Inspection } from './inspect.js'
import { type ArchiveLimits, CPU_BYTES } from './limits.js'
import type { ReadAnswer, ReadRequest } from './reader-process.js'

export interface ArchiveReader {
  /** @throws Refusal `SERVICE_UNAVAILABLE` when too many archives wait; Error when the reader failed. */
  inspect(path: string, limits: ArchiveLimits): Promise<Inspection>
  /** The same, and unpacks what is good into an empty folder. */
  extract(path: string, limits: ArchiveLimits, folder: string): Promise<Inspection>
  /** What reading cost: the most memory that a reader ever had, and the most processor time of one archive. */
  readonly cost: { readonly peakKiB: number; readonly cpuMs: number }
  close(): void
}

const WAITING_MAX = 64
const ARCHIVES_PER_PROCESS = 500
const HEAP_MIB = 96
/** A reader that ever had this much begins anew, whatever the reason. */
const PEAK_KIB_MAX = 400 * 1024
/** Beside the processor time that the reader counts itself: it may wait for a disk, or for other processes. */
const WALL_MS = 15_000

/** Beside the bundle; sources that were not built are run as they are. */
const BUILT = fileURLToPath(new URL('./archive-reader.js', import.meta.url))
const SOURCE = fileURLToPath(new URL('./reader-process.ts', import.meta.url))

function startProcess(): ChildProcess {
  const isBuilt = existsSync(BUILT)
  const child = fork(isBuilt ? BUILT : SOURCE, [], {
    // Nothing of the server's environment: its settings hold secrets.
    env: {},
    execArgv: [`--max-old-space-size=${HEAP_MIB}`, ...(isBuilt ? [] : ['--import', import.meta.resolve('tsx')])],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'json',
  })
  // A server that ends does not wait for it.
  child.unref()
  child.channel?.unref()
  return child
}

/** @param wallMs beside what the limits give: 15 s unless said. */
export function createArchiveReader({ wallMs = WALL_MS }: { readonly wallMs?: number } = {}): ArchiveReader {
  let child: ChildProcess | null = null
  let reads = 0
  let nextId = 0
  const cost = { peakKiB: 0, cpuMs: 0 }
  let waiting = 0
  let turn: Promise<unknown> = Promise.resolve()

  function end(): void {
    child?.removeAllListeners()
    child?.kill('SIGKILL')
    child = null
    reads = 0
  }

  async function read(path: string, limits: ArchiveLimits, extractTo?: string): Promise<Inspection> {
    child ??= startProcess()
    const reader = child
    reads += 1
    const request: ReadRequest = { id: nextId++, path, limits, ...(extractTo !== undefined && { extractTo }) }
    const allMs = wallMs + limits.cpuMsMax * 3 * (1 + Math.floor(limits.extractedBytesMax / CPU_BYTES))
    let timer: NodeJS.Timeout | undefined
    // The channel keeps the server alive only while it waits for an answer.
    reader.channel?.ref()
    try {
      const answer = await new Promise<ReadAnswer>((resolve, reject) => {
        timer = setTimeout(() => reject(fault('time', 'the archive takes too long to read')), allMs)
        reader.on('message', (message: ReadAnswer) => {
          if (message.id === request.id) resolve(message)
        })
        reader.on('error', reject)
        // Out of memory, or a fault of the runtime: what the archive made of it is the archive's fault.
        reader.on('exit', () => reject(fault('content', 'the archive can not be read within its bounds')))
        reader.send(request, (error) => {
          if (error !== null) reject(error)
        })
      })
      cost.peakKiB = Math.max(cost.peakKiB, answer.peakKiB)
      cost.cpuMs = Math.max(cost.cpuMs, answer.cpuMs)
      if (answer.inspection === undefined) throw new Error(`the reader of archives failed: ${answer.error}`)
      if (reads >= ARCHIVES_PER_PROCESS || answer.peakKiB > PEAK_KIB_MAX) end()
      return answer.inspection
    } catch (error) {
      end()
      if (error instanceof ArchiveFault) return { kind: 'archive', issues: error.issues }
      throw error
    } finally {
      clearTimeout(timer)
      reader.removeAllListeners()
      reader.channel?.unref()
    }
  }

  function inTurn(path: string, limits: ArchiveLimits, extractTo?: string): Promise<Inspection> {
    if (waiting >= WAITING_MAX) {
      const refusal = new Refusal('SERVICE_UNAVAILABLE', 'too many archives wait to be read: try again', {
        headers: { 'Retry-After': '10' },
      })
      return Promise.reject(refusal)
    }
    waiting += 1
    const mine = turn
      .then(() => read(path, limits, extractTo))
      .finally(() => {
        waiting -= 1
      })
    turn = mine.catch(() => undefined)
    return mine
  }

  return { cost, inspect: (path, limits) => inTurn(path, limits), extract: inTurn, close: end }
}

let shared: ArchiveReader | null = null

/** The reader of this process, started with its first archive. */
export function archiveReader(): ArchiveReader {
  shared ??= createArchiveReader()
  return shared
}
