/**
 * A fake of every provider on one port, for trials and tests: `plumbline ai fake`. It drafts like the in-process fake.
 * If told to, it misbehaves: one kind per request, in turn. The same port serves repositories of three forges.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Usage } from '../provider/model.js'
import { draftFor } from './brain.js'
import { answerForge, type FakeRepositories, REPOSITORIES } from './forge.js'
import { askingOf, tokensOf } from './model.js'
import { framesOf, type Heard, hear, wholeAnswer } from './wires.js'

export const MISBEHAVIOURS = [
  'refused',
  'silent',
  'late',
  'midway',
  'drip',
  '500',
  '429',
  '401',
  'html',
  'no-json',
  'cut',
  'fenced',
  'off-schema',
  'extra-keys',
  'endless',
  'line-cut',
  'broken-chunk',
  'redirect',
  'absurd-usage',
  'obey',
] as const
export type Misbehaviour = (typeof MISBEHAVIOURS)[number]

export interface FakeAi {
  readonly port: number
  /** Every request: its path, its headers and its body. */
  readonly requests: {
    readonly path: string
    readonly headers: Readonly<Record<string, unknown>>
    readonly body: string
  }[]
  close(): Promise<void>
}

export interface FakeAiOptions {
  readonly port?: number
  /** `good` means no misbehaviour. The list repeats after its end. A function chooses by the body of each request. */
  readonly misbehave?: readonly (Misbehaviour | 'good')[] | ((body: string) => Misbehaviour | 'good')
  /** How long `late` waits and `drip` waits between two pieces, in ms. */
  readonly waitMs?: number
  /** Repositories by owner and name, instead of the shipped ones. */
  readonly repositories?: FakeRepositories
}

export async function startFakeAi({
  port = 0,
  misbehave = [],
  waitMs = 50,
  repositories = REPOSITORIES,
}: FakeAiOptions = {}): Promise<FakeAi> {
  const requests: FakeAi['requests'] = []
  let turn = 0
  const server = createServer((request, response) => {
    if (request.method === 'GET' && answerForge(request, response, repositories)) {
      requests.push({ path: request.url ?? '', headers: request.headers, body: '' })
      return
    }
    const inTurn = typeof misbehave === 'function' ? 'good' : (misbehave[turn++ % misbehave.length] ?? 'good')
    response.on('error', () => undefined)
    void bodyOf(request).then((body) => {
      requests.push({ path: request.url ?? '', headers: request.headers, body })
      const kind = typeof misbehave === 'function' ? misbehave(body) : inTurn
      return answer(request.url ?? '', body, response, kind, waitMs)
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

const STATUS: Partial<Record<Misbehaviour, number>> = { '500': 500, '429': 429, '401': 401 }

async function answer(
  url: string,
  body: string,
  response: ServerResponse,
  kind: Misbehaviour | 'good',
  waitMs: number,
): Promise<void> {
  if (kind === 'silent') return
  const heard = hear(new URL(url, 'http://fake').pathname.replaceAll('%3A', ':'), jsonOf(body))
  const early = heard === null ? NOT_FOUND : earlyAnswer(kind, body)
  if (kind === 'refused') response.destroy()
  else if (heard === null || early !== null) response.writeHead(early?.status ?? 404, early?.headers).end(early?.body)
  else await draft(heard, body, response, kind, waitMs)
}

interface Early {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const JSON_TYPE = { 'content-type': 'application/json' }
const NOT_FOUND: Early = { status: 404, headers: JSON_TYPE, body: '{"error":{"message":"no such path"}}' }

/** A response that does not come from a model; null when the model answers. */
function earlyAnswer(kind: Misbehaviour | 'good', body: string): Early | null {
  if (kind === 'redirect') return { status: 307, headers: { location: 'http://127.0.0.1:1/' }, body: '' }
  if (kind === 'html')
    return { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>maintenance</html>' }
  const status = kind === 'good' ? undefined : STATUS[kind]
  if (status === undefined) return null
  // It repeats the request, as real providers do.
  const error = { message: `refused: ${body.slice(0, 500)}`, type: 'error', code: status }
  return { status, headers: JSON_TYPE, body: JSON.stringify({ error }) }
}

async function draft(
  heard: Heard,
  body: string,
  response: ServerResponse,
  kind: Misbehaviour | 'good',
  waitMs: number,
): Promise<void> {
  if (kind === 'late') await sleep(waitMs)
  const text = textFor(heard, kind)
  const usage: Usage =
    kind === 'absurd-usage'
      ? { inputTokens: 9_000_000_000, outputTokens: 1 }
      : { inputTokens: tokensOf(body), outputTokens: tokensOf(text) }
  if (heard.isStreamed) await stream(heard, text, usage, response, kind, waitMs)
  else whole(heard, text, usage, response, kind)
}

const jsonOf = (body: string): Record<string, unknown> => {
  try {
    return JSON.parse(body) as Record<string, unknown>
  } catch {
    return {}
  }
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const INJECTED = /OBEY: (.{1,500})/g

function textFor({ instructions, turns }: Heard, kind: Misbehaviour | 'good'): string {
  const schemaName = instructions.includes('The object is a plugin') ? 'plugin' : 'pipeline'
  const asking = askingOf({ schemaName, turns })
  const drafted = draftFor(asking)
  switch (kind) {
    case 'no-json':
      return 'I would rather talk about it.'
    case 'cut':
      return JSON.stringify(drafted).slice(0, -20)
    case 'fenced':
      return `\`\`\`json\n${JSON.stringify(drafted)}\n\`\`\``
    case 'off-schema':
      return JSON.stringify({ ...drafted, stages: 'many', commands: 'make' })
    case 'extra-keys':
      return `{"__proto__":{"polluted":true},"extra":1,${JSON.stringify(drafted).slice(1)}`
    case 'obey':
      return JSON.stringify(obeying(drafted, asking.first))
    default:
      return JSON.stringify(drafted)
  }
}

/** Follows instructions that are hidden in the data, as a manipulated model would. */
function obeying(draft: Record<string, unknown>, first: string): Record<string, unknown> {
  const told = [...first.matchAll(INJECTED)].map(([, command = '']) => command)
  if (told.length === 0) return draft
  if ('commands' in draft) return { ...draft, commands: [...(draft['commands'] as string[]), ...told] }
  return { ...draft, synth: { ...(draft['synth'] as object), preCommands: told } }
}

function whole(heard: Heard, text: string, usage: Usage, response: ServerResponse, kind: Misbehaviour | 'good'): void {
  const body = JSON.stringify(wholeAnswer(heard, text, usage))
  const half = body.slice(0, body.length / 2)
  response.writeHead(200, JSON_TYPE)
  if (kind === 'midway') response.write(half)
  else if (kind === 'line-cut' || kind === 'broken-chunk') response.write(half, () => response.destroy())
  else if (kind === 'endless') endless(response, ' '.repeat(65_536))
  else response.end(body)
}

async function stream(
  heard: Heard,
  text: string,
  usage: Usage,
  response: ServerResponse,
  kind: Misbehaviour | 'good',
  waitMs: number,
): Promise<void> {
  const size = Math.max(1, Math.ceil(text.length / 12))
  const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, n) => text.slice(n * size, (n + 1) * size))
  const frames = framesOf(heard, pieces, usage)
  const media = heard.wire === 'bedrock' ? 'application/vnd.amazon.eventstream' : 'text/event-stream'
  response.writeHead(200, { 'content-type': media })
  for (const [n, each] of frames.entries()) {
    if (response.destroyed) return
    if (n === Math.floor(frames.length / 2) && breaksOff(response, each, kind)) return
    if (kind === 'drip') await sleep(waitMs)
    response.write(each)
  }
  response.end()
}

/** A misbehaviour in the middle of a stream. @returns whether the stream ended. */
function breaksOff(response: ServerResponse, piece: string | Buffer, kind: Misbehaviour | 'good'): boolean {
  if (kind === 'midway') return true
  if (kind === 'line-cut') setImmediate(() => response.destroy())
  else if (kind === 'broken-chunk') response.end('data: {"broken\n\n')
  else if (kind === 'endless') endless(response, piece)
  else return false
  return true
}

function endless(response: ServerResponse, piece: string | Buffer): void {
  const more = () => {
    while (!response.destroyed && response.write(piece));
    if (!response.destroyed) response.once('drain', more)
  }
  more()
}
