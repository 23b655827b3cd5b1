/** Sends events to a server, a hundred per request, and prints those that were not taken. */
import { ApiError } from '@plumbline/client'
import { type CommandError, ExitCode, type Io, NotDoneError } from '../command.js'
import { printable } from '../program/printable.js'
import { write } from '../program/write.js'
import { refusalError } from '../remote/refusal.js'
import type { Session } from '../remote/session.js'
import { patiently } from './patience.js'

const AT_ONCE = 100
/** More lines would say the same of a file that has another form. */
const SHOWN_MAX = 100

interface Taken {
  readonly inserted: number
  readonly duplicates: number
  readonly conflicts: number
  readonly parked: number
  readonly skippedItems: readonly { readonly index: number; readonly path?: string; readonly message: string }[]
}

/**
 * @param lineOf the place of an event, for messages.
 * @param typed what the user typed for a field of an event.
 * @returns `findings` if the server did not take an event.
 */
export async function tellEvents(
  session: Session,
  io: Io,
  events: readonly unknown[],
  lineOf: (index: number) => string,
  typed: (field: string) => string = (field) => field,
): Promise<ExitCode> {
  const total = { inserted: 0, duplicates: 0, skipped: 0, parked: 0 }
  for (let from = 0; from < events.length; from += AT_ONCE) {
    const batch = events.slice(from, from + AT_ONCE)
    const request = { method: 'POST' as const, path: '/reports/events', body: { events: batch } }
    const { data } = await patiently(io, () => session.send<Taken>(request)).catch(async (error: unknown) => {
      if (from > 0) await write(io.stderr, `stopped after ${from} of ${events.length} events: run it again to go on\n`)
      throw error instanceof ApiError ? refusalOf(error) : error
    })
    total.inserted += data.inserted
    total.duplicates += data.duplicates + data.conflicts
    const shown = data.skippedItems.slice(0, Math.max(0, SHOWN_MAX - total.skipped))
    total.skipped += data.skippedItems.length
    total.parked += data.parked
    for (const { index, path, message } of shown) {
      const field = path?.split('/').slice(4).join('.') ?? ''
      await write(
        io.stderr,
        `${lineOf(from + index)}: ${printable(`${field === '' ? '' : `\`${typed(field)}\` `}${message}`)}\n`,
      )
    }
  }
  if (total.skipped > SHOWN_MAX) await write(io.stderr, `… and ${total.skipped - SHOWN_MAX} more\n`)
  await write(
    io.stderr,
    `${total.inserted} taken, ${total.duplicates} known before, ${total.skipped} not taken, of them ${total.parked} wait for their pipeline\n`,
  )
  return total.skipped === 0 ? ExitCode.clean : ExitCode.findings
}

/** People send no events, so what helps is another credential. */
function refusalOf(error: ApiError): CommandError {
  const refusal = refusalError(error)
  const { reason } = error.details
  if (error.status !== 403 || (reason !== 'service' && reason !== 'scope')) return refusal
  return new NotDoneError(
    refusal.message,
    'use a service principal with the scope reporting:ingest: set PLUMBLINE_SERVICE_CLIENT_ID and PLUMBLINE_SERVICE_CLIENT_SECRET instead of PLUMBLINE_TOKEN',
    refusal.details,
  )
}
