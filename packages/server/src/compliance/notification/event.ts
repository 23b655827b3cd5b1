/**
 * What organizations are told of, as receivers get it, and which preferences stand before it (spec compliance 14). No
 * values of attributes: a notification leaves the server.
 */
import { messageWithoutValues, type Violation } from '@plumbline/engine'
import type { CheckRow, RuleRow } from '../tables.js'
import type { PreferenceRow } from './tables.js'

export const EVENTS = [
  'compliance.block',
  'compliance.warning',
  'compliance.scan',
  'compliance.rule-change',
  'compliance.digest',
] as const
export type NotificationEvent = (typeof EVENTS)[number]

/** Something that happened, before anybody asked who wants to hear of it. */
export interface Announcement {
  readonly event: NotificationEvent
  /** The same key is told once to an organization. */
  readonly onceKey: string
  readonly priority: 'normal' | 'high'
  readonly relatedCheckId: string | null
  readonly occurredAtMs: number
  /** The fields of the payload besides `id`, `event`, `orgId`, `occurredAt`. */
  readonly fields: Readonly<Record<string, unknown>>
}

const ENTRIES_MAX = 100
const BLOCKED_SHOWN_MAX = 20

type Told = Pick<Violation, 'ruleId' | 'ruleName' | 'severity' | 'field' | 'message'>

const told = (row: CheckRow): Told[] =>
  (row.violations as readonly Violation[])
    .filter(({ suppressNotification }) => suppressNotification !== true)
    .map((violation) => {
      const { ruleId, ruleName, severity, field } = violation
      // guard: a-notification-about-a-rule-with-alternatives-has-no-value-of-the-record
      return { ruleId, ruleName, severity, field, message: messageWithoutValues(violation) }
    })

/** Null when there is nothing to tell: it passed, or the rules that were violated are not told. */
export function announcementOfCheck(row: CheckRow): Announcement | null {
  const entries = told(row)
  const isBlock = row.result === 'block'
  const counts = isBlock ? entries.filter(({ severity }) => severity !== 'warning') : entries
  if (row.result === 'pass' || counts.length === 0) return null
  const { target, entityId, entityName, action } = row
  const shown = entries.slice(0, ENTRIES_MAX)
  return {
    event: isBlock ? 'compliance.block' : 'compliance.warning',
    onceKey: `check:${row.id}`,
    priority: isBlock ? 'high' : 'normal',
    relatedCheckId: row.id,
    occurredAtMs: row.createdAtMs,
    fields: { target, entityId, entityName, action, ...(isBlock ? { violations: shown } : { warnings: shown }) },
  }
}

export interface FinishedScan {
  readonly scanId: string
  readonly target: string
  readonly totals: { readonly total: number; readonly pass: number; readonly warn: number; readonly block: number }
  /** The first ones are shown. */
  readonly blocked: readonly {
    readonly entityId: string
    readonly entityName: string | null
    readonly ruleNames: readonly string[]
  }[]
  readonly finishedAtMs: number
}

/** Null for a scan without findings. */
export function announcementOfScan({
  scanId,
  target,
  totals,
  blocked,
  finishedAtMs,
}: FinishedScan): Announcement | null {
  if (totals.block === 0 && totals.warn === 0) return null
  return {
    event: 'compliance.scan',
    onceKey: `scan:${scanId}`,
    priority: totals.block > 0 ? 'high' : 'normal',
    relatedCheckId: null,
    occurredAtMs: finishedAtMs,
    fields: { scanId, target, totals, blocked: blocked.slice(0, BLOCKED_SHOWN_MAX) },
  }
}

export const announcementOfRuleChange = (
  { id, name, version }: Pick<RuleRow, 'id' | 'name' | 'version'>,
  changeType: 'updated' | 'deleted',
  occurredAtMs: number,
): Announcement => ({
  event: 'compliance.rule-change',
  onceKey: `rule:${id}:${version}:${changeType}`,
  priority: 'normal',
  relatedCheckId: null,
  occurredAtMs,
  fields: { ruleId: id, ruleName: name, changeType, version },
})

/** Blocks are always told, warnings when they are asked for; what the server itself has to say ignores preferences. */
export function isWanted(
  { event, priority }: Pick<Announcement, 'event' | 'priority'>,
  preference: Pick<PreferenceRow, 'notifyOnWarning'>,
): boolean {
  if (event === 'compliance.warning') return preference.notifyOnWarning
  return event === 'compliance.scan' && priority === 'normal' ? preference.notifyOnWarning : true
}

/** In the inbox alone, at once, whatever the preferences say. */
export const isInboxOnly = ({ event }: Pick<Announcement, 'event'>): boolean => event === 'compliance.rule-change'
