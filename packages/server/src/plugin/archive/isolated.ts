/**
 * Reads uploaded archives in a separate process, one at a time and in turns by organization, so that no archive can
 * harm the server. A reader that uses too much CPU time, takes too long or grows too large is ended, and the next
 * archive gets a new one.
 */
import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Refusal } from '../../runtime/errors.js'
import { askReader, createReaderChild, ReaderEnded } from '../reader-child.js'
import type { ReaderProgram } from '../start-reader.js'
import { ArchiveFault, fault } from './fault.js'
import type { Inspection } from './inspect.js'
import { type ArchiveLimits, CPU_BYTES } from './limits.js'
import type { ReadAnswer, ReadRequest } from './reader-process.js'
import { createTurns } from './turns.js'

export interface ArchiveReader {
  /**
   * @param orgId the organization of the archive: organizations take turns.
   * @throws Refusal `SERVICE_UNAVAILABLE` when too many archives wait, or somebody ended the reader; Error when the reader
   * failed.
   */
  inspect(path: string, limits: ArchiveLimits, orgId?: string): Promise<Inspection>
  /** Like `inspect`, and unpacks a valid archive into an empty folder. */
  extract(path: string, limits: ArchiveLimits, folder: string, orgId?: string): Promise<Inspection>
  /** The cost of reading: the peak memory of any reader so far, and the highest CPU time of one archive. */
  readonly cost: { readonly peakKiB: number; readonly cpuMs: number }
  close(): void
}

const WAITING_MAX = { all: 64, each: 8 }
const ARCHIVES_PER_PROCESS = 500
const HEAP_MIB = 96
/** A reader whose memory ever peaked above this is replaced, whatever the reason. */
const PEAK_KIB_MAX = 400 * 1024
/** Wall-clock time in addition to the allowed CPU time: the reader may wait for a disk or for other processes. */
const WALL_MS = 15_000
/** How often the parent checks the reader's CPU time: the reader cannot check it while it unpacks one piece. */
const LOOK_MS = 100
/** CPU time that a new process needs for its own start. */
const START_CPU_MS = 4000

const PROGRAM: ReaderProgram = {
  built: new URL('./archive-reader.js', import.meta.url),
  source: new URL('./reader-process.ts', import.meta.url),
  heapMib: HEAP_MIB,
  hasInput: false,
}

/** @param wallMs wall-clock time in addition to the allowed CPU time, 15 s by default. */
export function createArchiveReader({ wallMs = WALL_MS }: { readonly wallMs?: number } = {}): ArchiveReader {
  const child = createReaderChild(PROGRAM)
  let reads = 0
  let nextId = 0
  const cost = { peakKiB: 0, cpuMs: 0 }
  const turns = createTurns(WAITING_MAX)

  async function read(path: string, limits: ArchiveLimits, extractTo?: string): Promise<Inspection> {
    const bytesMax = await mostBytes(path, limits)
    const { reader, isNew } = child.take()
    reads = isNew ? 1 : reads + 1
    const request: ReadRequest = { id: nextId++, path, limits, ...(extractTo !== undefined && { extractTo }) }
    const cpuMsMax = limits.cpuMsMax * (1 + Math.floor(bytesMax / CPU_BYTES))
    const allMs = wallMs + cpuMsMax * 3
    const usedMs = processorMs(reader) ?? 0
    const cpuEndsMs = usedMs + cpuMsMax + (isNew ? START_CPU_MS : 0)
    let timer: NodeJS.Timeout | undefined
    let looking: NodeJS.Timeout | undefined
    // The channel keeps the server process alive only while it waits for an answer.
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
        askReader<ReadAnswer>(reader, request, overLimits).then(resolve, reject)
      })
      cost.peakKiB = Math.max(cost.peakKiB, answer.peakKiB)
      cost.cpuMs = Math.max(cost.cpuMs, answer.cpuMs)
      if (answer.inspection === undefined) throw new Error(`the reader of archives failed: ${answer.error}`)
      if (reads >= ARCHIVES_PER_PROCESS || answer.peakKiB > PEAK_KIB_MAX) child.end()
      return answer.inspection
    } catch (error) {
      child.end()
      if (error instanceof ReaderEnded) throw endedRefusal(error)
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
    close: child.end,
  }
}

const overLimits = (): ArchiveFault => fault('content', 'the archive cannot be read within its bounds')

/** Nothing was found about the archive, which can be sent again. */
const endedRefusal = (cause: ReaderEnded): Refusal =>
  new Refusal('SERVICE_UNAVAILABLE', `the archive was not read, because ${cause.message}: try again`, {
    ...{ headers: { 'Retry-After': '1' }, cause },
  })

/** How many bytes an archive of this size may unpack to. */
async function mostBytes(path: string, { extractedBytesMax, ratioMax }: ArchiveLimits): Promise<number> {
  const { size } = await stat(path).catch(() => ({ size: 0 }))
  return Math.min(extractedBytesMax, size * ratioMax)
}

/** Linux reports CPU time to programs in hundredths of a second. */
const TICK_MS = 10

/** The CPU time that a process has used, in ms; null where the system does not report it. */
function processorMs({ pid }: ChildProcess): number | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name of the program may contain spaces and parentheses; after it, user and system time are the 12th and 13th
    // field.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS
  } catch {
    return null
  }
}

let shared: ArchiveReader | null = null

/** The shared reader of this process, started with the first archive. */
export function archiveReader(): ArchiveReader {
  shared ??= createArchiveReader()
  return shared
}
