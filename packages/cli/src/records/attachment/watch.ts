/** `plumbline messages watch`: follows the server's event stream, and reconnects when it ends. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type CommandRun, ExitCode, NotDoneError } from '../../command.js'
import { flag } from '../../program/invocation.js'
import { streamItem } from '../../program/print-data.js'
import { printable } from '../../program/printable.js'
import { write } from '../../program/write.js'
import { eventsOf, type ServerEvent } from '../../remote/events.js'
import { openSession, replyOf, telling } from '../../remote/session.js'
import type { JsonObject } from '../resource.js'

const PAUSE_MS = 1000
const PAUSE_MS_MAX = 30_000

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
        const response = await session.fetch('/messages/stream', { headers })
        if (!response.ok) await replyOf(response)
        for await (const told of eventsOf<JsonObject>(response)) {
          after = told.id
          pauseMs = PAUSE_MS
          await write(io.stdout, itemText({ event: told.event, data: told.data }))
          if (told.event === 'message.new') shown += 1
          if (shown >= most) return ExitCode.clean
        }
      } catch (error) {
        // A refusal of the server ends the command. A network error is retried.
        if (!(error instanceof NotDoneError) && !(error instanceof TypeError)) throw error
        if (!flag(invocation, 'quiet')) await write(io.stderr, 'the connection broke: reconnecting\n')
        await sleep(pauseMs)
        pauseMs = Math.min(PAUSE_MS_MAX, pauseMs * 2)
      }
    }
  })

/** A line for people; null for events that only carry counts. */
function lineOf({ event, data }: Omit<ServerEvent<JsonObject>, 'id'>): string | null {
  if (event === 'message.deleted') return `deleted  ${printable(String(data['id']))}`
  if (event !== 'message.new' && event !== 'message.edited') return null
  const message = data['message'] as JsonObject
  const what = event === 'message.edited' ? 'edited' : message['threadId'] === null ? 'new' : 'answer'
  const parts = [message['createdAt'], what, message['senderOrgName'], message['subject'], message['id']]
  return parts.map((part) => printable(String(part))).join('  ')
}
