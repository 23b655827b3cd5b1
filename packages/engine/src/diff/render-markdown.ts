/** Renders a comparison as Markdown, for a pull request. Everything that comes from rules or entities is escaped. */

import type { EntityDifference, EntityGroup, RuleDifference, RuleSetDiff } from './rule-set-diff.js'

const MAX_ENTITY = 200

export const renderDiffMarkdown = (diff: RuleSetDiff): string => {
  const lines: string[] = ['## Rule changes', '', summary(diff), '']
  if (diff.rules.length > 0) {
    lines.push('| Rule | Change | Severity | What it means |', '|---|---|---|---|')
    for (const rule of diff.rules) lines.push(ruleRow(rule))
    lines.push('')
  }
  const from =
    diff.entities === null ? 'constructed from the rules' : `of ${count(diff.entities, 'entity', 'entities')}`
  lines.push(...entitySection('Newly blocked', diff.newlyBlocked, from))
  lines.push(...entitySection('Newly allowed', diff.newlyAllowed, from))
  lines.push(...entitySection('Newly warned', diff.newlyWarned, from))
  return `${lines.join('\n').trimEnd()}\n`
}

const count = (number: number, one: string, many: string): string => `${number} ${number === 1 ? one : many}`

const summary = (diff: RuleSetDiff): string => {
  const by = (change: RuleDifference['change']): number => diff.rules.filter((rule) => rule.change === change).length
  return [
    `${by('added')} added`,
    `${by('removed')} removed`,
    `${by('changed')} changed in meaning`,
    `${by('cosmetic')} cosmetic`,
    `${by('undecided')} undecided`,
    `${diff.unchanged} unchanged`,
  ].join(', ')
}

const ruleRow = (rule: RuleDifference): string => {
  const { before, after } = rule.severity
  const severity =
    before === null || after === null || before === after ? (after ?? before ?? '') : `${before} → ${after}`
  const shown = [
    cell(rule.reason),
    ...(rule.stricter === null ? [] : [`now violated by ${entityCode(rule.stricter)}`]),
    ...(rule.laxer === null ? [] : [`no longer violated by ${entityCode(rule.laxer)}`]),
    ...(rule.keys.length === 0 ? [] : [`changed: ${rule.keys.map(code).join(', ')}`]),
  ]
  return `| ${code(rule.name)} | ${rule.change} | ${cell(severity)} | ${shown.join('; ')} |`
}

const entitySection = (title: string, group: EntityGroup, from: string): string[] => {
  if (group.total === 0) return []
  const more = group.total - group.samples.length
  return [
    `### ${title}: ${group.total} (${from})`,
    '',
    ...group.samples.map((entity) => `- ${entityWords(entity)}: ${entity.rules.map(code).join(', ')}`),
    ...(more > 0 ? [`- and ${more} more`] : []),
    '',
  ]
}

const entityWords = (entity: EntityDifference): string =>
  entity.witness === null ? code(entity.name ?? entity.id ?? 'entity') : entityCode(entity.witness)

const entityCode = (attributes: unknown): string => {
  const text = JSON.stringify(attributes)
  return code(text.length > MAX_ENTITY ? `${text.slice(0, MAX_ENTITY)}…` : text)
}

/**
 * Inline code that its content cannot close: the fence is longer than any run of backticks inside, and pipes are
 * escaped.
 */
const code = (text: string): string => {
  const safe = cell(text)
  const longest = Math.max(0, ...[...safe.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  const padding = longest > 0 || safe.trim() === '' ? ' ' : ''
  return `${fence}${padding}${safe}${padding}${fence}`
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replace(/[\r\n\u2028\u2029]+/g, ' ')
