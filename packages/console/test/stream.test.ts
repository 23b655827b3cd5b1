/** A stream that the server keeps open and says nothing on is cut by the page, and continues where it was. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { follow } from '../src/data/stream.js'

const encoder = new TextEncoder()

/** Lines that a test writes when it wants to. */
function openLine() {
  let line: ReadableStreamDefaultController<Uint8Array> | undefined
  let isCut = false
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      line = controller
    },
    cancel() {
      isCut = true
    },
  })
  return { body, say: (text: string) => line?.enqueue(encoder.encode(text)), isCut: () => isCut }
}

let lines: ReturnType<typeof openLine>[] = []
let asked: Headers[] = []
beforeEach(() => {
  lines = []
  asked = []
  vi.useFakeTimers()
  vi.stubGlobal('document', { querySelector: () => null })
  vi.stubGlobal('fetch', async (_address: string, { headers }: { headers: Headers }) => {
    asked.push(new Headers(headers))
    const line = openLine()
    lines.push(line)
    return new Response(line.body)
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('is not live after 40 seconds of silence, and follows again behind the last event', async () => {
  const states: boolean[] = []
  const events: unknown[] = []
  const stop = new AbortController()
  const following = follow({
    organization: 'demo',
    path: '/events',
    signal: stop.signal,
    onLive: (isLive) => void states.push(isLive),
    onEvent({ data }) {
      events.push(data)
      return false
    },
  })
  await vi.advanceTimersByTimeAsync(0)
  lines[0]?.say('id: 7\nevent: changed\ndata: {"topics":["compliance.rule"]}\n\n')
  // The server's heartbeat is a comment, and keeps the line.
  for (let n = 0; n < 4; n++) {
    await vi.advanceTimersByTimeAsync(15_000)
    lines[0]?.say(':\n\n')
  }
  await vi.advanceTimersByTimeAsync(39_000)
  expect(states).toEqual([true])
  await vi.advanceTimersByTimeAsync(1001)
  expect(states).toEqual([true, false])
  await vi.advanceTimersByTimeAsync(2000)
  expect(states).toEqual([true, false, true])
  expect(lines[0]?.isCut()).toBe(true)
  expect(asked.map((headers) => headers.get('last-event-id'))).toEqual([null, '7'])
  expect(events).toEqual([{ topics: ['compliance.rule'] }])
  stop.abort()
  lines[1]?.say(':\n\n')
  await vi.advanceTimersByTimeAsync(100_000)
  await following
})
