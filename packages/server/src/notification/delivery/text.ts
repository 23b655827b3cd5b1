/** The texts of a notification: those of the announcing domain, and those of a digest of several. */

import type { Runtime } from '../../runtime/operation/context.js'
import { findPort } from '../../runtime/port.js'
import {
  type NotificationEvent,
  type NotificationKind,
  type NotificationKinds,
  type NotificationText,
  notificationsOf,
  type Payload,
} from '../../runtime/records/notification.js'
import type { NotificationRow } from '../tables.js'

type Texts = Pick<Runtime, 'ports'>

const LINES_MAX = 50
export const DIGEST = 'compliance.digest'
/** Sent on request to show that a webhook works; never to the inbox or by e-mail. */
export const TEST_EVENT = 'notification.test'

/** The kinds that this domain announces itself. */
export const OWN_NOTIFICATIONS: NotificationKinds = {
  [TEST_EVENT]: {
    channels: ['webhook'],
    isImmediate: true,
    text: () => ({ subject: 'Test of the webhook', content: 'The webhook of this organization was tested.' }),
  },
}

/** The domain that announces an event; the inbox groups its notifications under this name. */
export const domainOf = (event: string): string => event.slice(0, event.indexOf('.'))

/** @throws Error when the event's domain provides no texts, which means that the process is composed wrongly. */
export function kindOf(runtime: Texts, event: string): NotificationKind {
  const kind = findPort(runtime, notificationsOf(domainOf(event)))?.[event as NotificationEvent]
  if (kind === undefined) throw new Error(`no domain provides the notification "${event}"`)
  return kind
}

export function textOf(
  runtime: Texts,
  { event, payload }: Pick<NotificationRow, 'event' | 'payload'>,
): NotificationText {
  return event === DIGEST ? digestText(runtime, payload) : kindOf(runtime, event).text(payload)
}

function digestText(runtime: Texts, { mode, count, items }: Payload): NotificationText {
  const all = items as readonly (Payload & { readonly event: string })[]
  const shown = all
    .slice(0, LINES_MAX)
    .map((item) => `- ${textOf(runtime, { event: item.event, payload: item }).subject}`)
  const rest = all.length > LINES_MAX ? [`and ${all.length - LINES_MAX} more`] : []
  return { subject: `Compliance, ${mode}: ${count} notifications`, content: [...shown, ...rest].join('\n') }
}
