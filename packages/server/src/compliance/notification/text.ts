/** A notification in words: the message in the inbox, and the e-mail. Names come from people and stand as plain text. */
import type { NotificationRow } from './tables.js'

type Fields = Readonly<Record<string, unknown>>
interface Entry {
  readonly ruleName: string
  readonly severity: string
  readonly message: string
}

export interface NotificationText {
  readonly subject: string
  readonly content: string
}

const LINES_MAX = 50

export function textOf({ event, payload }: Pick<NotificationRow, 'event' | 'payload'>): NotificationText {
  switch (event) {
    case 'compliance.block':
      return {
        subject: `Blocked: ${entityOf(payload)}`,
        content: `${asked(payload)} was stopped.\n\n${entries(payload['violations'])}`,
      }
    case 'compliance.warning':
      return {
        subject: `Warnings: ${entityOf(payload)}`,
        content: `${asked(payload)} went through with warnings.\n\n${entries(payload['warnings'])}`,
      }
    case 'compliance.scan':
      return scanText(payload)
    case 'compliance.rule-change':
      return ruleChangeText(payload)
    default:
      return digestText(payload)
  }
}

const entityOf = ({ target, entityName, entityId }: Fields): string =>
  `${target} ${entityName ?? entityId ?? 'without a name'}`

function asked(payload: Fields): string {
  const { action } = payload
  return action === 'recheck' ? `The re-check of ${entityOf(payload)}` : `The ${action} of ${entityOf(payload)}`
}

const entries = (list: unknown): string =>
  lines((list as readonly Entry[]).map(({ ruleName, severity, message }) => `${ruleName} (${severity}): ${message}`))

function lines(all: readonly string[]): string {
  const shown = all.slice(0, LINES_MAX).map((line) => `- ${line}`)
  return [...shown, ...(all.length > LINES_MAX ? [`and ${all.length - LINES_MAX} more`] : [])].join('\n')
}

function scanText({ target, totals, blocked }: Fields): NotificationText {
  const { total, warn, block } = totals as { total: number; warn: number; block: number }
  const found = (
    blocked as readonly { entityName: string | null; entityId: string; ruleNames: readonly string[] }[]
  ).map(({ entityName, entityId, ruleNames }) => `${entityName ?? entityId}: ${ruleNames.join(', ')}`)
  return {
    subject: `Scan: ${block} of ${total} blocked`,
    content:
      `A scan of ${target === 'all' ? 'plugins and pipelines' : `${target}s`} looked at ${total}: ${block} are blocked, ${warn} have warnings.\n\n${lines(found)}`.trim(),
  }
}

function ruleChangeText({ ruleName, changeType, version }: Fields): NotificationText {
  return {
    subject: `The published rule ${ruleName} was ${changeType}`,
    content:
      changeType === 'updated'
        ? `Version ${version} holds for subscriptions that follow it; pinned ones keep theirs.`
        : 'It is no longer enforced, also where it was pinned.',
  }
}

function digestText({ mode, count, items }: Fields): NotificationText {
  const told = (items as readonly (Fields & { event: string })[]).map(
    (item) => textOf({ event: item.event, payload: item }).subject,
  )
  return {
    subject: `Compliance, ${mode}: ${count} notifications`,
    content: lines(told),
  }
}
