/** `plumbline audit tail` */
import { unwrap } from '@plumbline/client'
import { type CommandRun, ExitCode } from '../command.js'
import { flag, text } from '../program/invocation.js'
import { streamItem } from '../program/print-data.js'
import { write } from '../program/write.js'
import { openSession, type Session, telling } from '../remote/session.js'
import { printable } from '../report/reporter.js'

const POLL_MS = 2_000
const PAGE = 100

type Event = Awaited<ReturnType<typeof newest>>[number]

export const run: CommandRun = async (invocation, io) => {
  const session = openSession(invocation, io)
  const action = text(invocation, 'action')
  const itemText = await streamItem(invocation, lineOf)
  const show = (events: readonly Event[]) => write(io.stdout, events.map((event) => itemText(event)).join(''))
  const first = await telling(() => newest(session, { limit: Number(invocation.options['lines']), action }))
  await show(first)
  if (!flag(invocation, 'follow')) return ExitCode.clean
  // Events of one instant may come in two answers: the last instant is asked for again, and what was shown is left out.
  let shown = new Map(first.map((event) => [event.id, event.createdAt]))
  for (;;) {
    await new Promise<void>((resolve) => setTimeout(resolve, POLL_MS))
    const from = [...shown.values()].reduce((latest, at) => (at > latest ? at : latest), '')
    const events = await telling(() => newest(session, { limit: PAGE, action, ...(from === '' ? {} : { from }) }))
    const fresh = events.filter(({ id }) => !shown.has(id))
    await show(fresh)
    if (events.length > 0) shown = new Map(events.map((event) => [event.id, event.createdAt]))
  }
}

interface Wanted {
  readonly limit: number
  readonly action: string | undefined
  readonly from?: string
}

/** The newest events, the oldest of them first. */
async function newest({ client }: Session, { limit, action, from }: Wanted) {
  const { events } = await unwrap(
    client.GET('/audit', {
      params: {
        query: { limit, ...(action === undefined ? {} : { action }), ...(from === undefined ? {} : { from }) },
      },
    }),
  )
  return events.reverse()
}

function lineOf({ createdAt, seq, action, actorEmail, actorId, outcome, targetType, targetId }: Event): string {
  const target = targetId === null ? '' : `  ${targetType ?? ''} ${targetId}`
  const failed = outcome === 'failure' ? '  FAILED' : ''
  return printable(
    `${createdAt}  ${seq === null ? 'unsealed' : `#${seq}`}  ${action}  ${actorEmail ?? actorId}${target}${failed}`,
  )
}
