/**
 * Server-sent events over `fetch`, because `EventSource` cannot send the organization. Resumes where the connection was
 * lost.
 */
import { ApiError } from '@plumbline/client'
import { basePath, send } from './client.js'

export interface StreamEvent {
  readonly event: string
  readonly data: unknown
}

export interface FollowedEvent extends StreamEvent {
  /** The position of the stream after this event, or null if the event has none. */
  readonly id: string | null
}

const WAIT_MS_MAX = 30_000
const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })

/** Parses a block of lines between two empty lines. */
export function parseBlock(block: string): { event: string; data: string; id: string | null } {
  let event = 'message'
  let id: string | null = null
  const data: string[] = []
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':')
    if (colon === 0) continue
    const name = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (name === 'event') event = value
    else if (name === 'data') data.push(value)
    else if (name === 'id') id = value
  }
  return { event, data: data.join('\n'), id }
}

/**
 * The server sends something every 15 s. After a longer silence the connection is lost, even if neither side has
 * noticed.
 */
const SILENT_MS_MAX = 40_000

async function readAll(body: ReadableStream<Uint8Array>, take: (block: string) => void): Promise<void> {
  const reader = body.pipeThrough(new TextDecoderStream() as unknown as TransformStream<Uint8Array, string>).getReader()
  let rest = ''
  for (;;) {
    const read = await inTime(reader.read())
    if (read === null) return void reader.cancel().catch(() => undefined)
    const { done, value } = read
    if (done) return
    // A line end may be split between two chunks.
    rest = (rest + value).replaceAll('\r\n', '\n')
    const blocks = rest.split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) if (block.trim() !== '') take(block)
  }
}

/** Null if nothing arrived in time. */
async function inTime<T>(reading: Promise<T>): Promise<T | null> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const silence = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), SILENT_MS_MAX)
  })
  try {
    return await Promise.race([reading, silence])
  } finally {
    clearTimeout(timer)
  }
}

interface FollowOptions {
  readonly organization: string
  readonly path: string
  readonly signal: AbortSignal
  /** The position to continue from, or null to begin. */
  readonly lastId?: string | null
  /** Returns true for the last event. */
  readonly onEvent: (event: FollowedEvent) => boolean
  readonly onLive?: (isLive: boolean) => void
}

export async function follow(options: FollowOptions): Promise<void> {
  const { organization, path, signal, onEvent, onLive } = options
  let lastId = options.lastId ?? null
  let isOver = false
  for (let attempt = 0; !signal.aborted && !isOver; attempt += 1) {
    try {
      const headers = new Headers({ 'x-org-id': organization, accept: 'text/event-stream' })
      if (lastId !== null) headers.set('last-event-id', lastId)
      const response = await fetch(`${basePath()}${path}`, { headers, signal })
      if (response.status >= 400 && response.status < 500 && response.status !== 429) return
      if (response.ok && response.body !== null) {
        onLive?.(true)
        await readAll(response.body, (block) => {
          const { event, data, id } = parseBlock(block)
          if (id !== null) lastId = id
          attempt = 0
          if (data !== '') isOver = onEvent({ event, data: parsed(data), id }) || isOver
        })
      }
    } catch {
      // The connection was lost. The loop connects again.
    }
    onLive?.(false)
    if (!isOver) await pause(Math.min(WAIT_MS_MAX, 1000 * 2 ** attempt), signal)
  }
}

interface AskOptions {
  readonly organization: string
  readonly path: string
  readonly body: unknown
  readonly signal: AbortSignal
  readonly onEvent: (event: StreamEvent) => void
}

/**
 * Sends a change whose answer is a stream of events. It is never retried. Aborting it also cancels the work on the
 * server.
 *
 * @throws ApiError if the server refuses before the stream begins
 */
export async function ask({ organization, path, body, signal, onEvent }: AskOptions): Promise<void> {
  const headers = { 'x-org-id': organization, accept: 'text/event-stream', 'content-type': 'application/json' }
  const address = new URL(`${basePath()}${path}`, location.origin)
  const response = await send(new Request(address, { method: 'POST', headers, body: JSON.stringify(body), signal }))
  if (!response.ok || response.body === null) throw new ApiError(response, await response.json().catch(() => undefined))
  await readAll(response.body, (block) => {
    const { event, data } = parseBlock(block)
    if (data !== '' && data !== '[DONE]') onEvent({ event, data: parsed(data) })
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
