/**
 * Server-sent events. A comment every 15 s keeps proxies from closing the connection. After 300 s the stream ends, and
 * the client resumes with `Last-Event-ID`. Source: spec platform 1.17.
 *
 * INVARIANT: whatever ends the stream (its source, an error, the client, the time limit, the shutdown drain), the
 * signal is aborted and no timer is left.
 */
import type { StreamEvent } from '../operation/operation.js'

export const HEARTBEAT_MS = 15_000
export const HARD_STOP_MS = 300_000

export const EVENT_STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache',
  'x-accel-buffering': 'no',
}

export interface EventStreamOptions {
  readonly events: AsyncIterable<StreamEvent>
  /** Aborts what produces the events. */
  readonly abort: AbortController
  /** The event that the client gets for an error of the source. */
  readonly errorEvent: (error: unknown) => StreamEvent
  /**
   * Sent unchanged after the last event, also after an error; not sent when the client disconnects or the time is over.
   */
  readonly lastData?: string
}

const encoder = new TextEncoder()

export function formatEvent({ id, event, data }: StreamEvent): string {
  const lines = [`event: ${oneLine(event)}`, ...(id === undefined ? [] : [`id: ${oneLine(id)}`])]
  // JSON contains no line break, so one `data` line is enough.
  return `${lines.join('\n')}\ndata: ${JSON.stringify(data)}\n\n`
}

const oneLine = (text: string) => text.replaceAll(/[\r\n\0]/g, ' ')

export function eventStream({ events, abort, errorEvent, lastData }: EventStreamOptions): ReadableStream<Uint8Array> {
  const source = events[Symbol.asyncIterator]()
  let controller: ReadableStreamDefaultController<Uint8Array>
  let isOpen = true
  const send = (text: string) => {
    if (isOpen) controller.enqueue(encoder.encode(text))
  }
  const heartbeat = setInterval(() => send(': keep-alive\n\n'), HEARTBEAT_MS)
  const hardStop = setTimeout(() => end(), HARD_STOP_MS)

  function end(): void {
    if (!isOpen) return
    isOpen = false
    clearInterval(heartbeat)
    clearTimeout(hardStop)
    abort.signal.removeEventListener('abort', end)
    abort.abort()
    // Not awaited, because a source that hangs must not keep the connection open.
    source.return?.().catch(() => undefined)
    controller.close()
  }

  function finish(): void {
    if (lastData !== undefined) send(`data: ${oneLine(lastData)}\n\n`)
    end()
  }

  return new ReadableStream<Uint8Array>({
    start(given) {
      controller = given
      send(': open\n\n')
      if (abort.signal.aborted) end()
      else abort.signal.addEventListener('abort', end)
    },
    async pull() {
      try {
        const next = await source.next()
        if (next.done) finish()
        else send(formatEvent(next.value))
      } catch (error) {
        send(formatEvent(errorEvent(error)))
        finish()
      }
    },
    cancel() {
      isOpen = false
      clearInterval(heartbeat)
      clearTimeout(hardStop)
      abort.abort()
      return source.return?.().then(() => undefined)
    },
  })
}
