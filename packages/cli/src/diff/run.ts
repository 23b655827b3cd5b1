/** Runs `plumbline diff`. */
import { type DiffEntity, diffRules, type RuleSetDiff, renderDiffMarkdown } from '@plumbline/engine/diff'
import { entityPlace, type ReadEntities, readEntities, reportProblems } from '../authoring/read-entities.js'
import { type CommandRun, ExitCode } from '../command.js'
import { resolveSettings } from '../config/settings.js'
import { highestExit } from '../program/exit-code.js'
import { createLog } from '../program/log.js'
import { chooseOutputs, writeOutputs } from '../program/outputs.js'
import { jsonText } from '../program/print-data.js'
import type { DiffFormat } from './formats.js'
import { renderPretty } from './report-pretty.js'
import { readSide } from './rule-side.js'

export const run: CommandRun = async (invocation, io) => {
  const { options } = invocation
  const outputs = chooseOutputs<DiffFormat>(options.format, 'pretty', io.cwd)
  const log = createLog(invocation, io)
  const [beforeName, afterName] = invocation.arguments as readonly [string, string | undefined]
  const before = await readSide(beforeName, invocation, io, log)
  const after = await readSide(afterName ?? null, invocation, io, log)
  const settings = await resolveSettings(invocation, io)
  const names = options.entities as readonly string[] | undefined
  const read: ReadEntities | null = names ? await readEntities(names, settings, io) : null

  const diff = diffRules(before.rules, after.rules, {
    limits: settings.limits.value,
    maxSamples: Number(options.maxSamples),
    ...(read && {
      entities: read.entities.map((entity): DiffEntity => {
        const { name, target, attributes } = entity
        return { id: entityPlace(entity), name, target, attributes }
      }),
    }),
  })
  await writeOutputs(outputs, io, (format, colour) => {
    switch (format) {
      case 'pretty':
        return renderPretty(diff, { before: before.label, after: after.label }, colour)
      case 'markdown':
        return renderDiffMarkdown(diff)
      case 'json':
        return `${jsonText({ before: before.label, after: after.label, ...diff })}\n`
    }
  })
  reportProblems(read?.problems ?? [], log)
  return highestExit([
    read !== null && read.problems.length > 0 ? ExitCode.notEvaluated : ExitCode.clean,
    hasFindings(diff, options.failOn) ? ExitCode.findings : ExitCode.clean,
  ])
}

function hasFindings(diff: RuleSetDiff, failOn: unknown): boolean {
  switch (failOn) {
    case 'blocked':
      return diff.newlyBlocked.total > 0
    case 'allowed':
      return diff.newlyAllowed.total > 0
    case 'any':
      // A rule whose comparison could not be decided may have changed.
      return diff.rules.some(({ change }) => change !== 'cosmetic')
    default:
      return false
  }
}
