/**
 * Reads uploaded archives in a process beside the server, one at a time, in turns by organization: whatever an archive does to
 * its reader, the server goes on. A reader that takes too much processor time, is late or grew is ended, and the next archive
 * gets a new one.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { ArchiveFault, fault } from './fault.js'
import type { Inspection } from './inspect.js'
import { type ArchiveLimits, CPU_BYTES } from './limits.js'
import type { ReadAnswer, ReadRequest } from './reader-process.js'
import { createTurns } from './turns.js'

export interface ArchiveReader {
  /**
   * @param orgId whose archive it is: organizations take turns.
   * @throws Refusal `SERVICE_UNAVAILABLE` when too many archives wait; Error when the reader failed.
   */
  inspect(path: string, limits: ArchiveLimits, orgId?: string): Promise<Inspection>
  /** The same, and unpacks what is good into an empty folder. */
  extract(path: string, limits: ArchiveLimits, folder: string, orgId?: string): Promise<Inspection>
  /** What reading cost: the most memory that a reader ever had, and the most processor time of one archive. */
  readonly cost: { readonly peakKiB: number; readonly cpuMs: number }
  close(): void
}

const WAITING_MAX = { all: 64, each: 8 }
const ARCHIVES_PER_PROCESS = 500
const HEAP_MIB = 96
/** A reader that ever had this much begins again, whatever the reason. */
const PEAK_KIB_MAX = 400 * 1024
/** Beside the processor time that it may take: it may wait for a disk, or for other processes. */
const WALL_MS = 15_000
/** How often its processor time is looked at: it does not look itself while it is busy with one piece. */
const LOOK_MS = 100
/** Of a process that begins, for itself. */
const START_CPU_MS = 4000

/** Beside the bundle; sources that were not built are run as they are. */
const BUILT = fileURLToPath(new URL('./archive-reader.js', import.meta.url))
const SOURCE = fileURLToPath(new URL('./reader-process.ts', import.meta.url))

function startProcess(): ChildProcess {
  const isBuilt = existsSync(BUILT)
  const child = fork(isBuilt ? BUILT : SOURCE, [], {
    // Nothing of the server's environment: its settings hold secrets.
    // guard: the-environment-of-the-reader
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
  const turns = createTurns(WAITING_MAX)

  function end(): void {
    child?.removeAllListeners()
    child?.kill('SIGKILL')
    child = null
    reads = 0
  }

  async function read(path: string, limits: ArchiveLimits, extractTo?: string): Promise<Inspection> {
    const isNew = child === null
    child ??= startProcess()
    const reader = child
    reads += 1
    const request: ReadRequest = { id: nextId++, path, limits, ...(extractTo !== undefined && { extractTo }) }
    const cpuMsMax = limits.cpuMsMax * (1 + Math.floor((await mostBytes(path, limits)) / CPU_BYTES))
    const allMs = wallMs + cpuMsMax * 3
    const usedMs = processorMs(reader) ?? 0
    const cpuEndsMs = usedMs + cpuMsMax + (isNew ? START_CPU_MS : 0)
    let timer: NodeJS.Timeout | undefined
    let looking: NodeJS.Timeout | undefined
    // The channel keeps the server alive only while it waits for an answer.
    reader.channel?.ref()
    try {
      const answer = await new Promise<ReadAnswer>((resolve, reject) => {
        // guard: a-reader-that-is-late
        const tooLong = () => reject(fault('time', 'the archive takes too long to read'))
        timer = setTimeout(tooLong, allMs)
        looking = setInterval(() => {
          const nowMs = processorMs(reader)
          if (nowMs !== null && nowMs > cpuEndsMs) tooLong()
        }, LOOK_MS)
        ask(reader, request, resolve, reject)
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
      clearInterval(looking)
      reader.removeAllListeners()
      reader.channel?.unref()
    }
  }

  return {
    cost,
    inspect: (path, limits, orgId = '') => turns.take(orgId, () => read(path, limits)),
    extract: (path, limits, folder, orgId = '') => turns.take(orgId, () => read(path, limits, folder)),
    close: end,
  }
}

/** Sends a request to the process, and hears its answer or its end. */
function ask(
  reader: ChildProcess,
  request: ReadRequest,
  resolve: (answer: ReadAnswer) => void,
  reject: (error: Error) => void,
): void {
  reader.on('message', (message: ReadAnswer) => {
    if (message.id === request.id) resolve(message)
  })
  reader.on('error', reject)
  // Out of memory, or a fault of the runtime: what the archive made of it is the archive's fault.
  reader.on('exit', () => reject(fault('content', 'the archive cannot be read within its bounds')))
  reader.send(request, (error) => {
    if (error !== null) reject(error)
  })
}

/** How much an archive of this size may be unpacked. */
async function mostBytes(path: string, { extractedBytesMax, ratioMax }: ArchiveLimits): Promise<number> {
  const { size } = await stat(path).catch(() => ({ size: 0 }))
  return Math.min(extractedBytesMax, size * ratioMax)
}

/** Linux counts in hundredths of a second for every program that asks. */
const TICK_MS = 10

/** The processor time that a process has had, in ms; null where the system does not say it. */
function processorMs({ pid }: ChildProcess): number | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name of the program may hold spaces and parentheses; behind it user and system time are 12th and 13th.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS
  } catch {
    return null
  }
}

let shared: ArchiveReader | null = null

/** The reader of this process, started with its first archive. */
export function archiveReader(): ArchiveReader {
  shared ??= createArchiveReader()
  return shared
}
