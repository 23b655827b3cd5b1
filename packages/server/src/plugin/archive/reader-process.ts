/**
 * The process that reads archives. It gets a path and limits, and answers with the result. It has no environment
 * variables, no database and no network code, and its parent ends it when an answer is late.
 */
import { readFileSync } from 'node:fs'
import { inspectArchive } from './inspect.js'
import type { ArchiveLimits } from './limits.js'

export interface ReadRequest {
  readonly id: number
  readonly path: string
  readonly limits: ArchiveLimits
  /** An empty folder to unpack into. */
  readonly extractTo?: string
}

export interface ReadAnswer {
  readonly id: number
  readonly inspection?: Awaited<ReturnType<typeof inspectArchive>>
  /** An unexpected error in this process: a bug, for the log. */
  readonly error?: string
  /** The peak memory of the process, in KiB. */
  readonly peakKiB: number
  /** CPU time that this archive took. */
  readonly cpuMs: number
}

process.on('message', ({ id, path, limits, extractTo }: ReadRequest) => {
  const before = process.cpuUsage()
  const answer = (more: Pick<ReadAnswer, 'inspection' | 'error'>) => {
    const { user, system } = process.cpuUsage(before)
    process.send?.({ id, ...more, peakKiB: peakMemory(), cpuMs: (user + system) / 1000 } satisfies ReadAnswer)
  }
  inspectArchive(path, limits, extractTo).then(
    (inspection) => answer({ inspection }),
    (error: unknown) => answer({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  )
})

/**
 * In KiB. Linux inherits `maxRSS` from the parent process, so after a large server it would look as if the reader had
 * grown; `VmHWM` is this process's own.
 */
function peakMemory(): number {
  const inherited = process.resourceUsage().maxRSS
  try {
    const own = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'latin1'))
    return own === null ? inherited : Number(own[1])
  } catch {
    return inherited
  }
}

process.on('disconnect', () => process.exit())
