/** Runs `plumbline impact`. */
import { type ImpactEntity, previewImpact, type RuleImpact } from '@plumbline/engine'
import pc from 'picocolors'
import { entityPlace, readEntities, reportProblems } from '../authoring/read-entities.js'
import { requireRule } from '../authoring/require-rule.js'
import { compileOptions, rulesInUse } from '../authoring/rules-in-use.js'
import { type CommandRun, ExitCode } from '../command.js'
import { resolveSettings } from '../config/settings.js'
import { ruleId } from '../input/rules.js'
import { createLog } from '../program/log.js'
import { chooseOutputs, writeOutputs } from '../program/outputs.js'
import { jsonText } from '../program/print-data.js'
import { printable } from '../program/printable.js'
import { code, escapeCell } from '../report/markdown.js'
import type { ImpactFormat } from './formats.js'

const renderers: Readonly<Record<ImpactFormat, (impact: readonly RuleImpact[], colour: boolean) => string>> = {
  pretty: renderPretty,
  markdown: renderMarkdown,
  json: (impact) => `${jsonText(impact)}\n`,
}

export const run: CommandRun = async (invocation, io) => {
  const { options } = invocation
  const outputs = chooseOutputs<ImpactFormat>(options.format, 'pretty', io.cwd)
  const settings = await resolveSettings(invocation, io)
  const { rules } = await rulesInUse(settings, io)
  const { entities, problems } = await readEntities(invocation.arguments[0] as readonly string[], settings, io)

  const asked = ((options.rule as readonly string[] | undefined) ?? []).map((name) =>
    ruleId(requireRule(name, rules).rule),
  )
  const subjects = entities.map((entity): ImpactEntity => {
    const { target, attributes, name } = entity
    // The place distinguishes entities of the same name, and orders samples by file.
    return { id: entityPlace(entity), name, target, attributes }
  })
  const impact = previewImpact(
    rules.map(({ rule }) => rule),
    subjects,
    {
      ...compileOptions(settings),
      gates: options.gates === 'evaluate' ? 'evaluate' : 'open',
      maxSamples: Number(options.maxSamples),
    },
  ).filter(({ ruleId: id }) => asked.length === 0 || asked.includes(id))

  await writeOutputs(outputs, io, (format, colour) => renderers[format](impact, colour))
  reportProblems(problems, createLog(invocation, io))
  return problems.length > 0 ? ExitCode.notEvaluated : ExitCode.clean
}

/** Most failures first. Rules that no entity fails share one line. */
function renderPretty(impact: readonly RuleImpact[], colour: boolean): string {
  const colours = pc.createColors(colour)
  const failing = byFailures(impact)
  const lines = failing.flatMap(({ ruleName, target, total, wouldFail, samples }) => [
    `${colours.red(`${wouldFail} of ${total}`)} ${nounOf(total, target)} would fail ${colours.bold(printable(ruleName))}`,
    ...samples.map(
      (sample) =>
        `    ${printable(sample.entityName ?? '')} ${colours.dim(sample.entityId)} ${printable(sample.messages[0] ?? '')}`,
    ),
    ...(samples.length > 0 && wouldFail > samples.length
      ? [colours.dim(`    and ${wouldFail - samples.length} more`)]
      : []),
    '',
  ])
  const waiting = impact.filter((each) => each.waiting > 0)
  for (const { ruleName, target, total, waiting: count } of waiting)
    lines.push(
      `${colours.bold(printable(ruleName))} waits for the built image of ${count} of ${total} ${nounOf(total, target)}`,
    )
  if (waiting.length > 0) lines.push('')
  lines.push(summary(impact, failing))
  return `${lines.join('\n')}\n`
}

function renderMarkdown(impact: readonly RuleImpact[]): string {
  const failing = byFailures(impact)
  const rows = failing.map(({ ruleName, target, total, wouldFail, samples }) => {
    const names = samples.map(({ entityName }) => entityName).join(', ')
    const more = wouldFail > samples.length ? ', …' : ''
    return `| ${code(ruleName)} | ${target} | ${wouldFail} of ${total} | ${escapeCell(names + more)} |`
  })
  const head = ['| Rule | Target | Would fail | Such as |', '| --- | --- | --- | --- |']
  const waiting = impact
    .filter((each) => each.waiting > 0)
    .map(
      ({ ruleName, target, total, waiting: count }) =>
        `${code(ruleName)} waits for the built image of ${count} of ${total} ${nounOf(total, target)}.`,
    )
  const notes = waiting.flatMap((line) => [line, ''])
  return `${[...(rows.length > 0 ? [...head, ...rows, ''] : []), ...notes, `${summary(impact, failing)}.`].join('\n')}\n`
}

const nounOf = (amount: number, target: string): string => (amount === 1 ? target : `${target}s`)

function summary(impact: readonly RuleImpact[], failing: readonly RuleImpact[]): string {
  const rules = impact.length === 1 ? '1 rule' : `${impact.length} rules`
  return `${rules}: ${failing.length} would fail something, ${impact.length - failing.length} nothing`
}

function byFailures(impact: readonly RuleImpact[]): RuleImpact[] {
  return impact.filter(({ wouldFail }) => wouldFail > 0).sort((left, right) => right.wouldFail - left.wouldFail)
}
