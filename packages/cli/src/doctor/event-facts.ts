/**
 * What `plumbline doctor --events` finds: whether pipeline events arrive at the server, and the state of their
 * forwarders.
 */
import { ApiError } from '@plumbline/client'
import { type Invocation, type Io, NotDoneError, UsageError } from '../command.js'
import type { Fact } from '../host/fact.js'
import { count } from '../report/reporter.js'

interface Health {
  readonly status: 'flowing' | 'stale' | 'dropping' | 'never'
  readonly advice: string | null
  readonly lastReceivedAt: string | null
  readonly lag: { readonly p50Seconds: number | null; readonly p95Seconds: number | null }
  readonly parked: number
  readonly skipped: Readonly<Record<string, number>>
  readonly forwarders: readonly {
    readonly client: string
    readonly instance: string | null
    readonly forwarded: number
    readonly dropped: number
    readonly restarts: number
    readonly lastDroppedAt: string | null
    readonly lastEventAt: string | null
    readonly updatedAt: string
  }[]
}

const DAY_MS = 24 * 3_600_000

export async function eventFacts(invocation: Invocation, io: Io): Promise<Fact[]> {
  try {
    const { openSession } = await import('../remote/session.js')
    const { data } = await openSession(invocation, io).send<Health>({ method: 'GET', path: '/reports/ingest-health' })
    return [arrivalOf(data), ...data.forwarders.map((each) => forwarderOf(each, io.now().getTime())), ...leftOut(data)]
  } catch (error) {
    if (!(error instanceof ApiError || error instanceof NotDoneError || error instanceof UsageError)) throw error
    return [{ topic: 'events', state: 'wrong', text: error.message }]
  }
}

function arrivalOf({ status, advice, lastReceivedAt, lag }: Health): Fact {
  const last = lastReceivedAt === null ? '' : `; the last event arrived at ${lastReceivedAt}`
  if (status === 'flowing') {
    return { topic: 'events', state: 'ok', text: `arrive${last}, half of them within ${spanOf(lag.p50Seconds ?? 0)}` }
  }
  return { topic: 'events', state: status === 'never' ? 'note' : 'wrong', text: `${status}: ${advice ?? ''}${last}` }
}

function spanOf(seconds: number): string {
  if (seconds < 120) return `${seconds} s`
  const [size, unit] = seconds < 7200 ? [60, 'minutes'] : seconds < 172_800 ? [3600, 'hours'] : [86_400, 'days']
  return `${Math.round(seconds / size)} ${unit}`
}

function forwarderOf(forwarder: Health['forwarders'][number], nowMs: number): Fact {
  const { client, instance, forwarded, dropped, restarts, lastDroppedAt, updatedAt } = forwarder
  const name = instance === null ? client : `${client} (${instance})`
  const isSilent = Date.parse(updatedAt) < nowMs - DAY_MS
  const isDropping = lastDroppedAt !== null && Date.parse(lastDroppedAt) > nowMs - DAY_MS
  const parts = [
    `${count(forwarded, 'event')} forwarded, ${dropped} dropped${lastDroppedAt === null ? '' : `, last noticed at ${lastDroppedAt}`}`,
    ...(restarts > 0 ? [`restarted ${restarts === 1 ? 'once' : `${restarts} times`}; its totals go on`] : []),
    ...(isSilent ? [`stale: reports nothing since ${updatedAt}, and is forgotten after 30 days`] : []),
  ]
  const state = isDropping || isSilent ? 'wrong' : restarts > 0 || dropped > 0 ? 'note' : 'ok'
  return { topic: 'forwarder', state, text: `${name}: ${parts.join('; ')}` }
}

function leftOut({ parked, skipped }: Health): Fact[] {
  const reasons = Object.entries(skipped).map(([reason, items]) => `${reason} ${items}`)
  return [
    ...(parked > 0
      ? [
          {
            topic: 'events',
            state: 'note' as const,
            text: `${parked} wait for their pipeline to be registered: plumbline reports parked`,
          },
        ]
      : []),
    ...(reasons.length > 0
      ? [{ topic: 'events', state: 'note' as const, text: `not taken in the last 7 days: ${reasons.join(', ')}` }]
      : []),
  ]
}
