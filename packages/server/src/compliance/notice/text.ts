/** The texts of the compliance notifications, and which preference decides whether they are sent. */
import type { NotificationKinds, NotificationText } from '../../runtime/records/notification.js'

type Fields = Readonly<Record<string, unknown>>
interface Entry {
  readonly ruleName: string
  readonly severity: string
  readonly message: string
}

const LINES_MAX = 50

export const COMPLIANCE_NOTIFICATIONS: NotificationKinds = {
  'compliance.block': {
    text: (payload) => ({
      subject: `Blocked: ${entityOf(payload)}`,
      content: `${asked(payload)} was stopped.\n\n${entries(payload['violations'])}`,
    }),
  },
  'compliance.warning': {
    isWarning: () => true,
    text: (payload) => ({
      subject: `Warnings: ${entityOf(payload)}`,
      content: `${asked(payload)} went through with warnings.\n\n${entries(payload['warnings'])}`,
    }),
  },
  'compliance.scan': { isWarning: ({ priority }) => priority === 'normal', text: scanText },
  // Sent only to the inbox, at once, regardless of preferences.
  'compliance.rule-change': { channels: [], isImmediate: true, text: ruleChangeText },
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
        ? `Version ${version} applies to subscriptions that follow the rule; pinned ones keep their version.`
        : 'It is no longer enforced, even for pinned subscriptions.',
  }
}
