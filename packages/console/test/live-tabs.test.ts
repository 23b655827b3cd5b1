/** The tabs of a browser share one stream, and the tab that takes it over misses no change. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { joinTabs, type Liveness } from '../src/data/live.js'

const encoder = new TextEncoder()

interface Line {
  readonly lastEventId: string | null
  say(id: string, event: string, data: object): void
}

let lines: Line[] = []
/** Holds one lock, as a browser does: the next in the queue gets it when its holder's tab closes. */
let held: Promise<void> = Promise.resolve()

beforeEach(() => {
  lines = []
  held = Promise.resolve()
  vi.stubGlobal('document', { querySelector: () => null })
  vi.stubGlobal('navigator', {
    locks: {
      request(_name: string, { signal }: { signal: AbortSignal }, run: () => Promise<void>) {
        const closed = new Promise<void>((done) => signal.addEventListener('abort', () => done(), { once: true }))
        const got = held.then(() => (signal.aborted ? undefined : run()))
        held = held.then(() => closed)
        return got
      },
    },
  })
  vi.stubGlobal('fetch', async (_address: string, { headers, signal }: { headers: Headers; signal: AbortSignal }) => {
    const body = new ReadableStream<Uint8Array>({
      start(line) {
        lines.push({
          lastEventId: headers.get('last-event-id'),
          say: (id, event, data) =>
            line.enqueue(encoder.encode(`id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`)),
        })
        signal.addEventListener('abort', () => line.error(signal.reason), { once: true })
      },
    })
    return new Response(body)
  })
})
afterEach(() => vi.unstubAllGlobals())

function tab() {
  const stop = new AbortController()
  const stale: (readonly string[] | null)[] = []
  const states: Liveness[] = []
  joinTabs({
    organization: 'demo',
    signal: stop.signal,
    onChange: (topics) => void stale.push(topics),
    onLiveness: (now) => void states.push(now),
  })
  return { stale, states, close: () => stop.abort() }
}

const until = (is: () => boolean) => vi.waitUntil(is, { timeout: 60_000, interval: 5 })

it('continues where the tab that closed has been, so that a change between the two streams is told', async () => {
  const first = tab()
  await until(() => lines.length === 1)
  expect(lines[0]?.lastEventId).toBeNull()
  lines[0]?.say('at-1', 'live', { topics: [], resumed: false })
  const second = tab()
  await until(() => second.states.at(-1) === 'live')
  lines[0]?.say('at-2', 'changed', { topics: ['compliance.rule'] })
  await until(() => second.stale.length === 1)
  // One stream for both tabs.
  expect(lines).toHaveLength(1)
  first.close()
  await until(() => lines.length === 2)
  expect(lines[1]?.lastEventId).toBe('at-2')
  lines[1]?.say('at-3', 'live', { topics: ['compliance.policy'], resumed: true })
  await until(() => second.stale.length === 2)
  expect(second.stale).toEqual([['compliance.rule'], ['compliance.policy']])
  second.close()
})

it('reads nothing twice when the stream begins with the page, and everything again when it begins later', async () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(10_000)
  try {
    const prompt = tab()
    await until(() => lines.length === 1)
    lines[0]?.say('at-1', 'live', { topics: [], resumed: false })
    lines[0]?.say('at-2', 'changed', { topics: ['compliance.rule'] })
    await until(() => prompt.stale.length > 0)
    expect(prompt.stale).toEqual([['compliance.rule']])
    prompt.close()

    const late = tab()
    await until(() => lines.length === 2)
    now.mockReturnValue(12_000)
    lines[1]?.say('at-3', 'live', { topics: [], resumed: false })
    await until(() => late.stale.length > 0)
    expect(late.stale).toEqual([null])
    late.close()
  } finally {
    now.mockRestore()
  }
})
