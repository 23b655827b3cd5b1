/** Converts the payloads of monitors. Pure: a payload yields incidents, and a reason for each part that yields none. */
import { at, cut, oneLine } from '../payload.js'
import type { SentIncident } from './store.js'

export interface Adapted {
  /** Each with its place among the parts of the payload. */
  readonly incidents: readonly { readonly index: number; readonly incident: SentIncident }[]
  readonly skipped: readonly { readonly index: number; readonly reason: string }[]
}

/** Text on one line, as in every other delivery: PostgreSQL cannot store a NUL. */
const textAt = (value: unknown, ...path: readonly string[]): string | undefined => {
  const found = at(value, ...path)
  if (typeof found === 'number') return String(found)
  return typeof found === 'string' ? oneLine(found) || undefined : undefined
}

/** An instant as text, or as seconds, milliseconds, microseconds or nanoseconds since 1970. */
export function instantAt(value: unknown, ...path: readonly string[]): string | undefined {
  const found = at(value, ...path)
  const isNumber = typeof found === 'number' || (typeof found === 'string' && /^\d{9,19}$/.test(found))
  const ms = isNumber
    ? msOf(Number(found))
    : typeof found === 'string' && found.length <= 40
      ? Date.parse(found)
      : Number.NaN
  // Alertmanager sends the year 1 for "not yet".
  return Number.isNaN(ms) || ms <= 0 || ms > 8.64e15 ? undefined : new Date(ms).toISOString()
}

/** Opsgenie writes `createdAt` in milliseconds and `updatedAt` in nanoseconds. */
// guard: a-time-in-nanoseconds-is-read
const msOf = (count: number): number =>
  count < 1e11 ? count * 1000 : count < 1e14 ? count : count < 1e17 ? count / 1000 : count / 1_000_000

const link = (value: string | undefined): { url?: string } =>
  value !== undefined && /^https?:\/\/[^\s/]\S*$/i.test(value) && value.length <= 2048 ? { url: value } : {}
const short = (value: string | undefined, max: number): string | undefined =>
  value === undefined ? undefined : cut(value, max)

/** What Datadog has to send: its own payload names neither the firing nor the transition. */
export const DATADOG_PAYLOAD = JSON.stringify({
  alert_cycle_key: '$ALERT_CYCLE_KEY',
  alert_transition: '$ALERT_TRANSITION',
  date: '$DATE',
  title: '$EVENT_TITLE',
  priority: '$ALERT_PRIORITY',
  tags: '$TAGS',
  link: '$LINK',
})

export type MonitorFormat = 'alertmanager' | 'pagerduty' | 'datadog' | 'opsgenie'

/** @param label the alert label that names the environment; a part without it has an empty one. */
export function adaptIncidents(format: MonitorFormat, payload: unknown, label: string): Adapted {
  const parts =
    format === 'alertmanager'
      ? Array.isArray(at(payload, 'alerts'))
        ? (at(payload, 'alerts') as unknown[])
        : []
      : [payload]
  const incidents: { index: number; incident: SentIncident }[] = []
  const skipped: { index: number; reason: string }[] = []
  if (parts.length === 0) return { incidents, skipped: [{ index: 0, reason: 'no alerts' }] }
  for (const [index, part] of parts.entries()) {
    const made = ADAPTERS[format](part, label)
    // guard: a-skipped-alert-has-the-place-that-was-sent
    if (typeof made === 'string') skipped.push({ index, reason: made })
    else if (made.incidentId.length > 255 || made.environment.length > 255)
      skipped.push({ index, reason: 'a name is longer than 255 characters' })
    else incidents.push({ index, incident: made })
  }
  return { incidents, skipped }
}

const ADAPTERS: Readonly<Record<MonitorFormat, (part: unknown, label: string) => SentIncident | string>> = {
  alertmanager(alert, label) {
    const incidentId = textAt(alert, 'fingerprint')
    const openedAt = instantAt(alert, 'startsAt')
    if (incidentId === undefined || openedAt === undefined) return 'no fingerprint or no startsAt'
    const ended = instantAt(alert, 'endsAt')
    return {
      // A repeated alert keeps its fingerprint, but each firing is a separate incident.
      incidentId: `alertmanager-${incidentId}-${Date.parse(openedAt)}`,
      environment: textAt(alert, 'labels', label) ?? '',
      openedAt,
      ...(textAt(alert, 'status') === 'resolved' && ended !== undefined ? { resolvedAt: ended } : {}),
      severity: short(textAt(alert, 'labels', 'severity'), 50),
      title: short(textAt(alert, 'annotations', 'summary') ?? textAt(alert, 'labels', 'alertname'), 500),
      ...link(textAt(alert, 'generatorURL')),
    }
  },
  pagerduty(payload, label) {
    const type = textAt(payload, 'event', 'event_type') ?? ''
    if (!type.startsWith('incident.')) return `${type || 'no event_type'} is not about an incident`
    const data = at(payload, 'event', 'data')
    const about = textAt(data, 'type') ?? 'incident'
    // Notes, status updates and workflows of an incident have event types of incidents, and ids of their own.
    // guard: a-note-of-an-incident-is-no-incident
    if (about !== 'incident') return `${type} is about an ${about}, which changes no incident`
    const id = textAt(data, 'id')
    const occurred = instantAt(payload, 'event', 'occurred_at')
    const openedAt = instantAt(data, 'created_at') ?? occurred
    if (id === undefined || openedAt === undefined) return 'no id or no time'
    return {
      incidentId: `pagerduty-${id}`,
      environment: textAt(data, 'custom_details', label) ?? textAt(data, label) ?? '',
      openedAt,
      ...(type === 'incident.resolved' ? { resolvedAt: instantAt(data, 'resolved_at') ?? occurred ?? openedAt } : {}),
      ...(type === 'incident.reopened'
        ? { resolvedAt: null, ...(occurred === undefined ? {} : { reopenedAt: occurred }) }
        : {}),
      severity: short(textAt(data, 'priority', 'summary') ?? textAt(data, 'urgency'), 50),
      title: short(textAt(data, 'title'), 500),
      ...link(textAt(data, 'html_url')),
    }
  },
  datadog(payload, label) {
    // Every other id names the monitor or one message: a second firing would be the first one, or never end.
    // guard: each-firing-of-a-monitor-is-an-incident
    const id = textAt(payload, 'alert_cycle_key')
    if (id === undefined || id.startsWith('$'))
      return `no alert_cycle_key, so firings cannot be told apart: set the payload of the webhook to ${DATADOG_PAYLOAD}`
    const when = instantAt(payload, 'date') ?? instantAt(payload, 'last_updated')
    if (when === undefined) return 'no date'
    const transition = (textAt(payload, 'alert_transition') ?? textAt(payload, 'transition') ?? '').toLowerCase()
    const tags = (textAt(payload, 'tags') ?? '').split(',').map((each) => each.trim())
    const tagged = (key: string): string | undefined =>
      tags.find((each) => each.startsWith(`${key}:`))?.slice(key.length + 1)
    const isOver = transition.startsWith('recovered')
    return {
      incidentId: `datadog-${id}`,
      environment: textAt(payload, label) ?? (tagged(label) || tagged('env') || ''),
      openedAt: when,
      ...(isOver ? { resolvedAt: when } : {}),
      severity: short(textAt(payload, 'priority') ?? textAt(payload, 'alert_type'), 50),
      title: short(textAt(payload, 'title') ?? textAt(payload, 'event_title'), 500),
      ...link(textAt(payload, 'link')),
    }
  },
  opsgenie(payload, label) {
    const action = textAt(payload, 'action') ?? ''
    const alert = at(payload, 'alert')
    const id = textAt(alert, 'alertId')
    const openedAt = instantAt(alert, 'createdAt')
    if (id === undefined || openedAt === undefined) return 'no alertId or no createdAt'
    if (!['Create', 'Close', 'Delete', 'Acknowledge'].includes(action))
      return `${action || 'no action'} changes no incident`
    // Nothing more is sent about a deleted alert: its incident would stay open.
    // guard: a-deleted-alert-ends-its-incident
    const isOver = action === 'Close' || action === 'Delete'
    const changedAt = instantAt(alert, 'updatedAt')
    // guard: an-unknown-end-is-not-the-opening
    if (isOver && changedAt === undefined) return 'no updatedAt, so the end of the incident is unknown'
    return {
      incidentId: `opsgenie-${id}`,
      environment: textAt(alert, 'details', label) ?? '',
      openedAt,
      ...(isOver ? { resolvedAt: changedAt } : {}),
      severity: short(textAt(alert, 'priority'), 50),
      title: short(textAt(alert, 'message'), 500),
    }
  },
}
