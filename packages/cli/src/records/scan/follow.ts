/** Follows a scan by its event stream, over broken connections, and says how far it is. */
import { setTimeout as sleep } from 'node:timers/promises'
import { ExitCode, type Invocation, type Io } from '../../command.js'
import { flag } from '../../program/invocation.js'
import { createProgress } from '../../program/progress.js'
import { write } from '../../program/write.js'
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
/** Without a terminal: one line for so many parts of the whole. */
const LINES = 10

/** @returns the scan when it is over. */
export async function followScan(session: Session, id: string, invocation: Invocation, io: Io): Promise<Scan> {
  const isQuiet = flag(invocation, 'quiet')
  const bar = createProgress(io, 'records', isQuiet)
  const tell = io.stderrIsTty || isQuiet ? async () => {} : plainProgress(io)
  try {
    for (;;) {
      for await (const { event, scan } of eventsOf(session, id)) {
        bar.update(scan.processedEntities, scan.totalEntities)
        await tell(scan)
        if (event === 'scan.end') return scan
      }
      // The stream ends after five minutes, or with the connection: the next one begins with how things stand.
      await sleep(AGAIN_MS)
    }
  } finally {
    bar.clear()
  }
}

/** What a scan that blocks says after its record: how much, and the next command. */
export async function tellBlocked({ id, blockCount }: Scan, invocation: Invocation, io: Io): Promise<void> {
  if (blockCount === 0 || flag(invocation, 'quiet')) return
  const blocked = blockCount === 1 ? '1 record is blocked' : `${blockCount} records are blocked`
  await write(io.stderr, `${blocked}: \`plumbline scans findings ${id}\` says by which rules, and where\n`)
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

interface Told {
  readonly event: string
  readonly scan: Scan
}

/** @throws ApiError when the server refuses; a connection that breaks ends the events. */
async function* eventsOf(session: Session, id: string): AsyncGenerator<Told> {
  const response = await session.fetch(`/api/compliance/scans/${encodeURIComponent(id)}/stream`)
  if (!response.ok) await replyOf(response)
  let text = ''
  const decoder = new TextDecoder()
  try {
    for await (const bytes of response.body as unknown as AsyncIterable<Uint8Array>) {
      text += decoder.decode(bytes, { stream: true })
      const parts = text.split('\n\n')
      text = parts.pop() ?? ''
      for (const part of parts) {
        const told = readEvent(part)
        if (told !== null) yield told
      }
    }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
  }
}

function readEvent(part: string): Told | null {
  const field = (name: string) =>
    part
      .split('\n')
      .find((line) => line.startsWith(`${name}: `))
      ?.slice(name.length + 2)
  const [event, data] = [field('event'), field('data')]
  if (event === undefined || data === undefined || !event.startsWith('scan.')) return null
  return { event, scan: (JSON.parse(data) as { scan: Scan }).scan }
}
