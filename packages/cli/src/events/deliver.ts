/** Sends deliveries as forges and engines do: signed with the secret of a source, to the URL of the source. */
import { createHash, createHmac } from 'node:crypto'
import { ApiError } from '@plumbline/client'
import { ExitCode, type Invocation, type Io, UsageError } from '../command.js'
import { printable } from '../program/printable.js'
import { write } from '../program/write.js'
import { reach } from '../remote/session.js'
import { patiently } from './patience.js'

export interface Delivery {
  /** The event type, if the sender puts it in a header. */
  readonly event?: string
  readonly payload: unknown
}

/** The rest would most likely be refused as well. */
const REFUSED_MAX = 10
const NOTES_MAX = 5

interface Taken {
  readonly inserted: number
  readonly duplicates: number
  readonly skipped: number
  readonly parked: number
  readonly incidents: number
  readonly note: string | null
}

export interface Receiver {
  readonly url: string
  readonly format: string
  readonly secret: string
}

/** From `--source` and the secret in the environment. */
export function receiverOf(invocation: Invocation, io: Io): Receiver | null {
  const url = invocation.options['source']
  if (typeof url !== 'string' || url === '') return null
  const format = /^https?:\/\/[^\s]{1,500}\/api\/reports\/events\/webhook\/([a-z]{1,20})\/[0-9a-fA-F-]{36}$/.exec(
    url,
  )?.[1]
  if (format === undefined) {
    throw new UsageError(
      '`--source` is not the address of a source',
      'copy its `url`: `plumbline reports sources list`',
    )
  }
  const secret = io.env['PLUMBLINE_SOURCE_SECRET'] ?? ''
  if (secret === '') {
    throw new UsageError(
      'PLUMBLINE_SOURCE_SECRET is not set',
      'set it to the secret that `plumbline reports sources create` or `rotate` printed',
    )
  }
  return { url, format, secret }
}

/**
 * @returns `findings` if the server refused a delivery, skipped a part of one, or parked it until its pipeline is
 * known.
 */
export async function deliver(io: Io, receiver: Receiver, deliveries: readonly Delivery[]): Promise<ExitCode> {
  const total = { inserted: 0, duplicates: 0, skipped: 0, parked: 0, incidents: 0 }
  const notes = new Map<string, number>()
  const ignored = new Map<string, number>()
  const count = (note: string, of = notes) => void of.set(note, (of.get(note) ?? 0) + 1)
  let refused = 0
  let sent = 0
  for (const delivery of deliveries) {
    sent++
    const body = JSON.stringify(delivery.payload)
    const answer = await patiently(io, () => post(receiver, delivery, body)).catch(async (error: unknown) => {
      if (sent > 1) {
        await write(io.stderr, `stopped after ${sent - 1} of ${deliveries.length} deliveries: run it again to go on\n`)
      }
      throw error
    })
    const { data } = answer
    if (data === undefined) {
      refused++
      count(answer.message ?? `HTTP ${answer.status}`)
      if (refused >= REFUSED_MAX) break
      continue
    }
    for (const key of Object.keys(total) as (keyof typeof total)[]) total[key] += data[key]
    if (data.note !== null) count(data.note, data.note.startsWith('ignored') ? ignored : notes)
  }
  // A forge delivers much that reports do not use. Where nothing is of use, the sender needs to know why.
  const isAllIgnored = refused === 0 && Object.values(total).every((each) => each === 0)
  if (isAllIgnored) for (const [note, times] of ignored) if (notes.size < NOTES_MAX) notes.set(note, times)
  for (const [note, times] of notes) await write(io.stderr, `${times}x ${printable(note)}\n`)
  await write(
    io.stderr,
    `${sent} deliveries: ${total.inserted} events taken, ${total.duplicates} known before, ${total.skipped} not taken, ${total.parked} wait for their pipeline, ${total.incidents} incidents, ${refused} deliveries refused\n`,
  )
  const left = deliveries.length - sent
  if (left > 0) await write(io.stderr, `stopped after ${REFUSED_MAX} refusals; ${left} deliveries were not sent\n`)
  return refused + total.skipped + total.parked === 0 ? ExitCode.clean : ExitCode.findings
}

/** @throws ApiError if the server asks to wait. */
async function post(receiver: Receiver, delivery: Delivery, body: string) {
  const headers = { 'content-type': 'application/json', ...headersOf(receiver, delivery, body) }
  const answer = await reach(new Request(receiver.url, { method: 'POST', body, headers }))
  const read = (await answer.json().catch(() => ({}))) as { data?: Taken; message?: string }
  if (answer.status === 429) throw new ApiError(answer, read)
  return { ...read, status: answer.status }
}

function headersOf({ format, secret }: Receiver, { event }: Delivery, body: string): Record<string, string> {
  if (format === 'github') {
    return {
      'x-github-event': event ?? 'workflow_run',
      'x-github-delivery': createHash('sha256').update(body).digest('hex').slice(0, 32),
      'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    }
  }
  return format === 'gitlab' ? { 'x-gitlab-token': secret } : { authorization: `Bearer ${secret}` }
}
