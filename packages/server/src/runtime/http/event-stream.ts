/**
 * Server-sent events. A comment every 15 s keeps proxies from closing the connection. After 300 s the stream ends, and
 * the client resumes with `Last-Event-ID`. Source: spec platform 1.17.
 *
 * INVARIANT: whatever ends the stream (its source, an error, the client, the time limit, the shutdown drain), the
 * signal is aborted and no timer is left.
 */
import { Refusal } from '../errors.js'
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
   * Sent unchanged after the last event, also after an error. A stream with it never breaks off: when the time is over
   * or the server stops, an error comes before it.
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
  const hardStop = setTimeout(() => stop(), HARD_STOP_MS)

  function end(): void {
    if (!isOpen) return
    isOpen = false
    clearInterval(heartbeat)
    clearTimeout(hardStop)
    abort.signal.removeEventListener('abort', stop)
    abort.abort()
    // Not awaited, because a source that hangs must not keep the connection open.
    source.return?.().catch(() => undefined)
    controller.close()
  }

  /** Ends what has not ended by itself. */
  function stop(): void {
    if (lastData !== undefined) {
      const message = 'the server ended the stream: it may last 5 minutes, and ends when the server stops'
      send(formatEvent(errorEvent(new Refusal('REQUEST_TIMEOUT', message))))
    }
    finish()
  }

  function finish(): void {
    if (lastData !== undefined) send(`data: ${oneLine(lastData)}\n\n`)
    end()
  }

  return new ReadableStream<Uint8Array>({
    start(given) {
      controller = given
      send(': open\n\n')
      if (abort.signal.aborted) stop()
      else abort.signal.addEventListener('abort', stop)
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
