/** Server-sent events over `fetch`, which can name the organization; begins again where it was cut. */
import { basePath } from './client.js'

export interface StreamEvent {
  readonly event: string
  readonly data: unknown
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

/** What a block of lines between two empty ones says. */
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

async function readAll(body: ReadableStream<Uint8Array>, take: (block: string) => void): Promise<void> {
  const reader = body.pipeThrough(new TextDecoderStream() as unknown as TransformStream<Uint8Array, string>).getReader()
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    rest += value.replaceAll('\r\n', '\n')
    const blocks = rest.split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) if (block.trim() !== '') take(block)
  }
}

interface FollowOptions {
  readonly organization: string
  readonly path: string
  readonly signal: AbortSignal
  /** Answers true when nothing more is to come. */
  readonly onEvent: (event: StreamEvent) => boolean
  readonly onLive?: (isLive: boolean) => void
}

export async function follow({ organization, path, signal, onEvent, onLive }: FollowOptions): Promise<void> {
  let lastId: string | null = null
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
          if (data !== '') isOver = onEvent({ event, data: parsed(data) }) || isOver
        })
      }
    } catch {
      // A cut connection: tried again below.
    }
    onLive?.(false)
    if (!isOver) await pause(Math.min(WAIT_MS_MAX, 1000 * 2 ** attempt), signal)
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
