/**
 * The notifications that compliance sends to organizations. A payload has no attribute values, because a notification
 * leaves the server (spec compliance 14).
 */
import { messageWithoutValues, type Violation } from '@plumbline/engine'
import type { Announcement } from '../../runtime/records/notification.js'
import type { CheckRow, RuleRow } from '../tables.js'

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

/** Null when there is nothing to report: the check passed, or the violated rules suppress notifications. */
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
  /** Only the first ones are shown. */
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
