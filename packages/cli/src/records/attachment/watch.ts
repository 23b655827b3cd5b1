/** `plumbline messages watch`: the server's event stream, made again whenever it ends. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type CommandRun, ExitCode, NotDoneError } from '../../command.js'
import { flag } from '../../program/invocation.js'
import { streamItem } from '../../program/print-data.js'
import { write } from '../../program/write.js'
import { openSession, replyOf, telling } from '../../remote/session.js'
import { printable } from '../../report/reporter.js'
import type { JsonObject } from '../resource.js'

const PAUSE_MS = 1000
const PAUSE_MS_MAX = 30_000

interface Told {
  readonly id: string
  readonly event: string
  readonly data: JsonObject
}

export const run: CommandRun = (invocation, io) =>
  telling(async () => {
    const session = openSession(invocation, io)
    const itemText = await streamItem(invocation, lineOf)
    const most = Number(invocation.options['count'] ?? Number.POSITIVE_INFINITY)
    let after: string | null = null
    let shown = 0
    let pauseMs = PAUSE_MS
    for (;;) {
      try {
        const headers: Record<string, string> = { accept: 'text/event-stream' }
        if (after !== null) headers['last-event-id'] = after
        const response = await session.fetch('/api/messages/stream', { headers })
        if (!response.ok || response.body === null) await replyOf(response)
        for await (const told of eventsOf(response.body as unknown as AsyncIterable<Uint8Array>)) {
          after = told.id
          pauseMs = PAUSE_MS
          await write(io.stdout, itemText({ event: told.event, data: told.data }))
          if (told.event === 'message.new') shown += 1
          if (shown >= most) return ExitCode.clean
        }
      } catch (error) {
        // A refusal stays one; what the network does passes.
        if (!(error instanceof NotDoneError) && !(error instanceof TypeError)) throw error
        if (!flag(invocation, 'quiet')) await write(io.stderr, 'the connection broke: it is tried again\n')
        await sleep(pauseMs)
        pauseMs = Math.min(PAUSE_MS_MAX, pauseMs * 2)
      }
    }
  })

/** Server-sent events as they arrive. */
export async function* eventsOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<Told> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true })
    const parts = text.split('\n\n')
    text = parts.pop() ?? ''
    for (const part of parts) {
      const field = (name: string) =>
        part
          .split('\n')
          .filter((line) => line.startsWith(`${name}:`))
          .map((line) => line.slice(name.length + 1).trimStart())
          .join('\n')
      const data = field('data')
      if (data !== '') yield { id: field('id'), event: field('event'), data: JSON.parse(data) as JsonObject }
    }
  }
}

/** A line for people; nothing for counts. */
function lineOf({ event, data }: Omit<Told, 'id'>): string | null {
  if (event === 'message.deleted') return `deleted  ${printable(String(data['id']))}`
  if (event !== 'message.new' && event !== 'message.edited') return null
  const message = data['message'] as JsonObject
  const what = event === 'message.edited' ? 'edited' : message['threadId'] === null ? 'new' : 'answer'
  const parts = [message['createdAt'], what, message['senderOrgName'], message['subject'], message['id']]
  return parts.map((part) => printable(String(part))).join('  ')
}
