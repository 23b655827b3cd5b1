/** Follows the log of a build until it ends, across lost connections and restarts of the server. */
import { setTimeout as sleep } from 'node:timers/promises'
import { NotDoneError } from '../../command.js'
import { printable } from '../../program/printable.js'
import { eventsOf } from '../../remote/events.js'
import { replyOf, type Session } from '../../remote/session.js'

/**
 * The server ends a stream after five minutes. After so many streams in a row without new output, the command gives up.
 */
const SILENT_STREAMS_MAX = 3
const LOST_MAX = 5
const PAUSE_MS = 500

/** Lines of a log, safe for a terminal. The server removes control characters; another server might not. */
export const printableLines = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.split('\t').map(printable).join('\t'))
    .join('\n')

export interface Heard {
  log(text: string): Promise<void>
  phase?(name: string): Promise<void>
}

export const buildPath = (jobId: string): string => `/plugins/builds/${encodeURIComponent(jobId)}`

/** @returns the final state of the build. @throws NotDoneError if the log was cut off. */
export async function followBuild(session: Session, jobId: string, heard: Heard): Promise<string> {
  let place = ''
  let lost = 0
  for (let silent = 0; silent < SILENT_STREAMS_MAX; ) {
    const headers = { accept: 'text/event-stream', ...(place === '' ? {} : { 'last-event-id': place }) }
    try {
      const response = await session.fetch(`${buildPath(jobId)}/logs`, { headers })
      if (!response.ok) await replyOf(response)
      silent += 1
      for await (const { event, id, data } of eventsOf<LogEvent>(response)) {
        place = id
        lost = 0
        if (event === 'phase' && typeof data.phase === 'string') await heard.phase?.(data.phase)
        if (event === 'log' && typeof data.text === 'string') {
          silent = 0
          await heard.log(printableLines(data.text))
        }
        if (event === 'end') return String(data.state)
      }
    } catch (error) {
      // A refusal of the server ends the command. A lost connection is resumed at the same place.
      const isLost = error instanceof NotDoneError || error instanceof TypeError
      if (!isLost || ++lost > LOST_MAX) throw isLost ? cutOff(jobId, 'the connection was lost') : error
      await sleep(PAUSE_MS * 2 ** lost)
    }
  }
  throw cutOff(jobId, 'its log has not grown for a long time')
}

const cutOff = (jobId: string, why: string): NotDoneError =>
  new NotDoneError(`the build may not be over: ${why}`, `follow it again: \`plumbline plugins build ${jobId} --watch\``)

interface LogEvent {
  readonly text?: unknown
  readonly state?: unknown
  readonly phase?: unknown
}
