/** `plumbline audit tail` */
import { unwrap } from '@plumbline/client'
import { type CommandRun, ExitCode } from '../command.js'
import { flag, text } from '../program/invocation.js'
import { streamItem } from '../program/print-data.js'
import { printable } from '../program/printable.js'
import { write } from '../program/write.js'
import { openSession, type Session, telling } from '../remote/session.js'
import { allPages } from './all-pages.js'

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
  // Two answers can each hold some events of the same instant. So each request starts at the last instant again, and
  // events that were already shown are left out.
  let shown = new Map(first.map((event) => [event.id, event.createdAt]))
  for (;;) {
    await new Promise<void>((resolve) => setTimeout(resolve, POLL_MS))
    const from = [...shown.values()].reduce((latest, at) => (at > latest ? at : latest), '')
    const page = (offset: number) => newest(session, { limit: PAGE, offset, action, ...(from === '' ? {} : { from }) })
    // Without a last instant there is nothing that the pages could end at.
    const events = await telling(() => (from === '' ? page(0) : allPages(page, PAGE)))
    const fresh = events.filter(({ id }) => !shown.has(id))
    await show(fresh)
    if (events.length > 0) shown = new Map(events.map((event) => [event.id, event.createdAt]))
  }
}

interface Wanted {
  readonly limit: number
  readonly offset?: number
  readonly action: string | undefined
  readonly from?: string
}

/** The newest events, in the order in which they happened. */
async function newest({ client }: Session, { limit, offset = 0, action, from }: Wanted) {
  const { events } = await unwrap(
    client.GET('/audit', {
      params: {
        query: { limit, offset, ...(action === undefined ? {} : { action }), ...(from === undefined ? {} : { from }) },
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
