/** A comparison of rules for people at a terminal. */
import type { EntityDifference, EntityGroup, RuleDifference, RuleSetDiff } from '@plumbline/engine/diff'
import pc from 'picocolors'
import { printable } from '../program/printable.js'
import { count, valueText } from '../report/reporter.js'

const witnessCharactersMax = 160

export function renderPretty(
  diff: RuleSetDiff,
  labels: { readonly before: string; readonly after: string },
  colour: boolean,
): string {
  const colours = pc.createColors(colour)
  const marks = {
    added: colours.green('+'),
    removed: colours.red('-'),
    changed: colours.yellow('~'),
    cosmetic: colours.dim('='),
    undecided: colours.yellow('?'),
  } as const
  const lines = [colours.dim(`from ${printable(labels.before)} to ${printable(labels.after)}`), '']
  for (const rule of diff.rules) {
    lines.push(`${marks[rule.change]} ${colours.bold(printable(rule.name))} ${rule.change}${severityText(rule)}`)
    lines.push(...details(rule).map((detail) => `    ${printable(detail)}`))
  }
  if (diff.rules.length > 0) lines.push('')
  const from = diff.entities === null ? 'made up from the rules' : `of ${count(diff.entities, 'entity')}`
  const group = (title: string, { total, samples }: EntityGroup) => {
    if (total === 0) return
    lines.push(
      colours.bold(`${title}: ${total} (${from})`),
      ...samples.map((sample) => `    ${printable(entityText(sample))}`),
    )
    if (total > samples.length) lines.push(colours.dim(`    and ${total - samples.length} more`))
    lines.push('')
  }
  group('newly blocked', diff.newlyBlocked)
  group('newly allowed', diff.newlyAllowed)
  group('newly warned', diff.newlyWarned)
  lines.push(summary(diff))
  return `${lines.join('\n')}\n`
}

function summary(diff: RuleSetDiff): string {
  const by = (change: RuleDifference['change']) => diff.rules.filter((rule) => rule.change === change).length
  const parts = [
    `${by('added')} added`,
    `${by('removed')} removed`,
    `${by('changed')} changed in meaning`,
    `${by('cosmetic')} only in wording`,
    ...(by('undecided') > 0 ? [`${by('undecided')} undecided`] : []),
    `${diff.unchanged} unchanged`,
  ]
  return parts.join(', ')
}

function severityText({ severity: { before, after } }: RuleDifference): string {
  if (before === null || after === null || before === after) return ''
  return ` (${before} → ${after})`
}

function details(rule: RuleDifference): string[] {
  const witness = (entity: unknown) => valueText(entity, witnessCharactersMax)
  return [
    rule.reason,
    ...(rule.stricter === null ? [] : [`now violated by ${witness(rule.stricter)}`]),
    ...(rule.laxer === null ? [] : [`no longer violated by ${witness(rule.laxer)}`]),
  ]
}

function entityText({ name, id, witness, before, after, rules }: EntityDifference): string {
  const entity =
    witness === null ? [name, id].filter((text) => text !== null).join(' ') : valueText(witness, witnessCharactersMax)
  return `${entity}: ${before} → ${after} by ${rules.join(', ')}`
}
