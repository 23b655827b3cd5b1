/** Follows the log of a build until it is over, over lost connections and a server that starts again. */
import { setTimeout as sleep } from 'node:timers/promises'
import { NotDoneError } from '../../command.js'
import { replyOf, type Session } from '../../remote/session.js'

/** The server ends a stream after five minutes; one that says nothing new so often is not asked again. */
const SILENT_STREAMS_MAX = 3
const LOST_MAX = 5
const PAUSE_MS = 500

export interface Heard {
  log(text: string): Promise<void>
  phase?(name: string): Promise<void>
}

export const buildPath = (jobId: string): string => `/api/plugins/builds/${encodeURIComponent(jobId)}`

/** @returns the state that it ended in. @throws NotDoneError when it was cut off. */
export async function followBuild(session: Session, jobId: string, heard: Heard): Promise<string> {
  let place = ''
  let lost = 0
  for (let silent = 0; silent < SILENT_STREAMS_MAX; ) {
    const headers = { accept: 'text/event-stream', ...(place === '' ? {} : { 'last-event-id': place }) }
    try {
      const response = await session.fetch(`${buildPath(jobId)}/logs`, { headers })
      if (!response.ok) await replyOf(response)
      silent += 1
      for await (const { event, id, data } of eventsOf(response)) {
        place = id
        lost = 0
        if (event === 'phase' && typeof data.phase === 'string') await heard.phase?.(data.phase)
        if (event === 'log' && typeof data.text === 'string') {
          silent = 0
          await heard.log(data.text)
        }
        if (event === 'end') return String(data.state)
      }
    } catch (error) {
      // What the server says is its answer; what broke off is asked for again from the same place.
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
  readonly event: string
  readonly id: string
  readonly data: { readonly text?: unknown; readonly state?: unknown; readonly phase?: unknown }
}

async function* eventsOf({ body }: Response): AsyncGenerator<LogEvent> {
  let held = ''
  const decoder = new TextDecoder()
  for await (const chunk of body ?? []) {
    held += decoder.decode(chunk, { stream: true })
    const blocks = held.split('\n\n')
    held = blocks.pop() ?? ''
    for (const block of blocks) {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1] ?? ''
      if (field('data') !== '') yield { event: field('event'), id: field('id'), data: JSON.parse(field('data')) }
    }
  }
}
