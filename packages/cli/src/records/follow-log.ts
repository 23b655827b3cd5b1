/** `plumbline plugins build-logs`: the log as it is, or as it grows until the build is over. */
import { type CommandRun, ExitCode, type Io, NotDoneError } from '../command.js'
import { flag } from '../program/invocation.js'
import { write } from '../program/write.js'
import { openSession, replyOf, type Session, telling } from '../remote/session.js'

/** The server ends a stream after five minutes; one that says nothing new so often is not asked again. */
const SILENT_STREAMS_MAX = 3

export const run: CommandRun = (invocation, io) =>
  telling(async () => {
    const session = openSession(invocation, io)
    const path = `/api/plugins/builds/${encodeURIComponent(String(invocation.arguments[0]))}/logs`
    if (flag(invocation, 'follow')) return follow(session, path, io)
    const response = await session.fetch(path)
    if (!response.ok) await replyOf(response)
    await write(io.stdout, await response.text())
    return ExitCode.clean
  })

async function follow(session: Session, path: string, io: Io): Promise<ExitCode> {
  let place = ''
  for (let silent = 0; silent < SILENT_STREAMS_MAX; ) {
    const headers = { accept: 'text/event-stream', ...(place === '' ? {} : { 'last-event-id': place }) }
    const response = await session.fetch(path, { headers })
    if (!response.ok) await replyOf(response)
    silent += 1
    for await (const { event, id, data } of eventsOf(response)) {
      place = id
      if (event === 'log' && typeof data.text === 'string') {
        silent = 0
        await write(io.stdout, data.text)
      }
      if (event === 'end') {
        await write(io.stderr, `the build is ${String(data.state)}\n`)
        return data.state === 'completed' ? ExitCode.clean : ExitCode.findings
      }
    }
  }
  throw new NotDoneError('the build is not over, and its log has not grown for a long time', 'follow it again later')
}

interface LogEvent {
  readonly event: string
  readonly id: string
  readonly data: { readonly text?: unknown; readonly state?: unknown }
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
