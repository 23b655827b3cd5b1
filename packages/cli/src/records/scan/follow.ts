/** Follows a scan by its event stream, across lost connections, and shows the progress. */
import { setTimeout as sleep } from 'node:timers/promises'
import { ExitCode, type Invocation, type Io } from '../../command.js'
import { flag } from '../../program/invocation.js'
import { createProgress } from '../../program/progress.js'
import { write } from '../../program/write.js'
import { eventsOf } from '../../remote/events.js'
import { replyOf, type Session } from '../../remote/session.js'
import type { JsonObject } from '../resource.js'

export interface Scan extends JsonObject {
  readonly id: string
  readonly status: string
  readonly processedEntities: number
  readonly totalEntities: number
  readonly blockCount: number
}

const AGAIN_MS = 500
/** Without a terminal, progress is printed this many times. */
const LINES = 10

/** @returns the scan when it is over. */
export async function followScan(session: Session, id: string, invocation: Invocation, io: Io): Promise<Scan> {
  const isQuiet = flag(invocation, 'quiet')
  const bar = createProgress(io, 'records', isQuiet)
  const tell = io.stderrIsTty || isQuiet ? async () => {} : plainProgress(io)
  try {
    for (;;) {
      for await (const { event, scan } of scanEvents(session, id)) {
        bar.update(scan.processedEntities, scan.totalEntities)
        await tell(scan)
        if (event === 'scan.end') return scan
      }
      // The stream ends after five minutes or when the connection is lost. The next stream starts with the current
      // state.
      await sleep(AGAIN_MS)
    }
  } finally {
    bar.clear()
  }
}

/** If a scan blocks, prints how many records are blocked, and the command that lists the findings. */
export async function tellBlocked({ id, blockCount }: Scan, invocation: Invocation, io: Io): Promise<void> {
  if (blockCount === 0 || flag(invocation, 'quiet')) return
  const blocked = blockCount === 1 ? '1 record is blocked' : `${blockCount} records are blocked`
  await write(io.stderr, `${blocked}: \`plumbline scans findings ${id}\` lists the rules and locations\n`)
}

export function exitOf({ status, blockCount }: Scan): ExitCode {
  if (status !== 'completed') return ExitCode.notEvaluated
  return blockCount > 0 ? ExitCode.findings : ExitCode.clean
}

function plainProgress(io: Io): (scan: Scan) => Promise<void> {
  let told = -1
  return async ({ status, processedEntities: done, totalEntities: total, blockCount }) => {
    const part = total === 0 ? 0 : Math.floor((done / total) * LINES)
    if (status !== 'running' || part === told) return
    told = part
    await write(io.stderr, `${done}/${total} records, ${blockCount} blocked\n`)
  }
}

/** @throws ApiError if the server refuses. A lost connection only ends the events. */
async function* scanEvents(session: Session, id: string): AsyncGenerator<{ event: string; scan: Scan }> {
  const response = await session.fetch(`/compliance/scans/${encodeURIComponent(id)}/stream`)
  if (!response.ok) await replyOf(response)
  try {
    for await (const { event, data } of eventsOf<{ scan: Scan }>(response)) {
      if (event.startsWith('scan.')) yield { event, scan: data.scan }
    }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
  }
}
