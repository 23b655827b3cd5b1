/** Runs `plumbline explain`. */

import { resolve } from 'node:path'
import { compileRules, explain, type RuleExplanation, renderExplanation, rulesInForce } from '@plumbline/engine'
import pc from 'picocolors'
import { entityPlace, readEntities, reportProblems } from '../authoring/read-entities.js'
import { requireRule } from '../authoring/require-rule.js'
import { compileOptions, rulesInUse } from '../authoring/rules-in-use.js'
import { type CommandRun, ExitCode, type Io, UsageError } from '../command.js'
import { resolveSettings, type Settings } from '../config/settings.js'
import { entityRef, type SourceEntity } from '../input/entities.js'
import { loadExemptions } from '../input/exemptions.js'
import { parseInstant } from '../input/record.js'
import { bindExemptions, type LoadedRule } from '../input/rules.js'
import { createLog } from '../program/log.js'
import { jsonText } from '../program/print-data.js'
import { printable } from '../program/printable.js'
import { write } from '../program/write.js'
import { indexRules } from '../test/rule-slice.js'
import { meaningOf, type RuleMeaning } from './meaning.js'

export const run: CommandRun = async (invocation, io) => {
  const { options } = invocation
  const [name, names] = invocation.arguments as readonly [string, readonly string[]]
  const settings = await resolveSettings(invocation, io)
  const { rules } = await rulesInUse(settings, io)
  const rule = requireRule(name, rules)
  const isJson = options.format === 'json'
  if (names.length === 0) {
    const meaning = meaningOf(rule, rules)
    await write(io.stdout, isJson ? json(meaning) : renderMeaning(meaning, io.colour))
    return ExitCode.clean
  }

  const { entities, problems } = await readEntities(names, settings, io)
  const concerned = entities.filter(({ target }) => target === rule.rule.target)
  const explained = await explainOn(concerned, rule, rules, settings, instantOf(options.asOf, io), io)
  await write(
    io.stdout,
    isJson
      ? json(explained.map(({ entity, steps }) => ({ ...describe(entity), rules: steps })))
      : explained.map((each) => renderEntity(each, io.colour)).join('\n'),
  )
  const log = createLog(invocation, io)
  if (concerned.length === 0 && problems.length === 0) {
    log.warn(`rule \`${rule.rule.name}\` is for a ${rule.rule.target}, and none of the files holds one`)
  }
  reportProblems(problems, log)
  return problems.length > 0 ? ExitCode.notEvaluated : ExitCode.clean
}

function instantOf(asOf: unknown, io: Io): Date {
  if (typeof asOf !== 'string') return io.now()
  const instant = parseInstant(asOf)
  if (instant === null)
    throw new UsageError(`--as-of: \`${asOf}\` is not an instant`, 'write 2026-01-31T12:00:00Z, or a date')
  return instant
}

/** A rule that reads the built image waits if there is none, as in a check. */
type Step = RuleExplanation & { readonly needsBuiltImage?: true }

interface Explained {
  readonly entity: SourceEntity
  /** The rule and what it depends on, in the order of their evaluation. */
  readonly steps: readonly Step[]
  readonly text: string
}

async function explainOn(
  entities: readonly SourceEntity[],
  rule: LoadedRule,
  rules: readonly LoadedRule[],
  settings: Settings,
  now: Date,
  io: Io,
): Promise<Explained[]> {
  const names = settings.exemptions.value.map((name) => resolve(settings.exemptions.base, name))
  const loaded = await loadExemptions(settings.policy, names, io.cwd)
  const slice = indexRules(rules.map((other) => other.rule)).slice(rule.rule)
  const ruleSet = compileRules(slice, compileOptions(settings))
  const exemptions = bindExemptions(rules, loaded.exemptions).map(({ exemption }) => exemption)
  return entities.map((entity) => {
    const inForce = rulesInForce(ruleSet, entity.target, entity.attributes)
    const waiting = new Set(inForce.waiting.map((each) => each.ruleId))
    const explanation = explain(inForce.ruleSet, entity.attributes, {
      target: entity.target,
      now,
      exemptions,
      entity: entityRef(entity),
    })
    // The last line sums up the verdict of the whole rule set. A slice of it has no such verdict.
    const text = renderExplanation(explanation, { waiting }).split('\n').slice(0, -1).join('\n')
    const steps = explanation.rules.map((step) =>
      waiting.has(step.ruleId) ? { ...step, needsBuiltImage: true as const } : step,
    )
    return { entity, steps, text }
  })
}

function describe(entity: SourceEntity): Record<string, unknown> {
  const { line } = entity.located.positionOf(entity.at)
  return { file: entity.located.file, line, target: entity.target, name: entity.name }
}

function renderEntity({ entity, text }: Explained, colour: boolean): string {
  const colours = pc.createColors(colour)
  const painted = text
    .split('\n')
    .map(printable)
    .join('\n')
    .replace(/^( *)([✓✗!-]) /gm, (_, space: string, mark: string) => {
      const paint = mark === '✓' ? colours.green : mark === '-' ? colours.dim : colours.red
      return `${space}${paint(mark)} `
    })
  return `${colours.bold(`${entity.target} ${printable(entity.name)}`)} ${colours.dim(entityPlace(entity))}\n${painted}\n`
}

function renderMeaning(meaning: RuleMeaning, colour: boolean): string {
  const colours = pc.createColors(colour)
  const { conditions, mode, gates, dependents } = meaning
  const consequence = meaning.blocks ? 'a violation blocks' : 'a violation is reported and does not block'
  const lines = [
    `${colours.bold(printable(meaning.name))} ${colours.dim(meaning.place)}`,
    `${meaning.severity} for a ${meaning.target}, priority ${meaning.priority}: ${consequence}`,
    ...(meaning.description === null ? [] : ['', ...meaning.description.trim().split('\n').map(printable)]),
    '',
  ]
  const gated = gates.map((gate) => `\`${gate}\``).join(' and ')
  if (gates.length > 0) lines.push(`Checked only when ${gated} passed. Then:`, '')
  const [only] = conditions
  if (conditions.length === 1 && only) lines.push(`  ${conditionLine(only)}`)
  else lines.push(`  ${mode} of`, ...conditions.map((condition) => `    ${conditionLine(condition)}`))
  if (meaning.operators.length > 0) {
    lines.push(
      '',
      ...meaning.operators.map(({ name, doc }) => `  ${colours.cyan(name.padEnd(11))} ${colours.dim(doc)}`),
    )
  }
  if (dependents.length > 0) lines.push('', `Asked before: ${dependents.join(', ')}`)
  for (const note of meaning.notes) lines.push('', `Note: ${note}`)
  if (meaning.tags.length > 0) lines.push('', colours.dim(`tags: ${meaning.tags.join(', ')}`))
  return `${lines.join('\n')}\n`
}

function conditionLine({ text, gate }: RuleMeaning['conditions'][number]): string {
  return printable(gate === null ? text : `${text} (only when \`${gate}\` passed)`)
}

function json(value: unknown): string {
  return `${jsonText(value)}\n`
}
