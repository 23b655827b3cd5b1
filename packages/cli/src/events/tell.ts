/** Sends events to a server, a hundred per request, and prints those that were not taken. */
import { ExitCode, type Io } from '../command.js'
import { printable } from '../program/printable.js'
import { write } from '../program/write.js'
import type { Session } from '../remote/session.js'

const AT_ONCE = 100

interface Taken {
  readonly inserted: number
  readonly duplicates: number
  readonly conflicts: number
  readonly parked: number
  readonly skippedItems: readonly { readonly index: number; readonly path?: string; readonly message: string }[]
}

/** @param lineOf the place of an event, for messages. @returns `findings` if the server did not take an event. */
export async function tellEvents(
  session: Session,
  io: Io,
  events: readonly unknown[],
  lineOf: (index: number) => string,
): Promise<ExitCode> {
  const total = { inserted: 0, duplicates: 0, skipped: 0, parked: 0 }
  for (let from = 0; from < events.length; from += AT_ONCE) {
    const batch = events.slice(from, from + AT_ONCE)
    const { data } = await session.send<Taken>({ method: 'POST', path: '/reports/events', body: { events: batch } })
    total.inserted += data.inserted
    total.duplicates += data.duplicates + data.conflicts
    total.skipped += data.skippedItems.length
    total.parked += data.parked
    for (const { index, path, message } of data.skippedItems) {
      const field = path?.split('/').slice(4).join('.') ?? ''
      await write(
        io.stderr,
        `${lineOf(from + index)}: ${printable(`${field === '' ? '' : `\`${field}\` `}${message}`)}\n`,
      )
    }
  }
  await write(
    io.stderr,
    `${total.inserted} taken, ${total.duplicates} known before, ${total.skipped} not taken, of them ${total.parked} wait for their pipeline\n`,
  )
  return total.skipped === 0 ? ExitCode.clean : ExitCode.findings
}
