/** Runs `plumbline lint`. */
import { type Rule, tokenPaths } from '@plumbline/engine'
import { type FindingSeverity, lintReport } from '@plumbline/engine/lint'
import { compileOptions, ruleNames } from '../authoring/rules-in-use.js'
import { type CommandRun, ExitCode } from '../command.js'
import { resolveSettings, type Settings } from '../config/settings.js'
import { diskTree } from '../input/file-tree.js'
import { type LoadedRules, requireRules } from '../input/rules.js'
import { createLog } from '../program/log.js'
import { chooseOutputs, writeOutputs } from '../program/outputs.js'
import { jsonText } from '../program/print-data.js'
import { count } from '../report/reporter.js'
import { planFixes, writeFixes } from './fix-files.js'
import type { LintFormat } from './formats.js'
import { type LocatedReport, locateFindings } from './located-finding.js'
import { renderGithub } from './report-github.js'
import { renderPretty } from './report-pretty.js'
import { renderSarif } from './report-sarif.js'

/** One fix can make another possible. More rounds than this would mean that two fixes undo each other. */
const fixRoundsMax = 5

const severities: readonly FindingSeverity[] = ['info', 'warning', 'error']

export const run: CommandRun = async (invocation, io) => {
  const { options } = invocation
  const outputs = chooseOutputs<LintFormat>(options.format, 'pretty', io.cwd)
  const settings = await resolveSettings(invocation, io)
  const named = invocation.arguments[0] as readonly string[]
  const names = named.length > 0 ? named : ruleNames(settings)
  const log = createLog(invocation, io)

  let { rules, report } = await analyse(names, settings, io.cwd)
  let fixes = await planFixes(rules, report.findings)
  let fixed = 0
  for (let round = 0; options.fix === true && fixes.texts.size > 0 && round < fixRoundsMax; round++) {
    await writeFixes(fixes)
    for (const [file, changes] of fixes.files) {
      fixed += changes
      log.note(`${file}: ${count(changes, 'change')} made`)
    }
    ;({ rules, report } = await analyse(names, settings, io.cwd))
    fixes = await planFixes(rules, report.findings)
  }

  for (const { rule, file } of rules.filter((loaded) => comparesWithToken(loaded.rule))) {
    log.warn(
      `${file}: rule \`${rule.name}\` compares with a token: rules read what a token stands for, so write the value`,
    )
  }
  const findings = locateFindings(report, rules, fixes.repaired)
  const located: LocatedReport = { findings, summary: report.summary, fixed }
  const showsUnknown = options.unknown === true
  const shown = located.findings.filter(({ status }) => showsUnknown || status === 'proved')
  await writeOutputs(outputs, io, (format, colour) => {
    switch (format) {
      case 'pretty':
        return renderPretty({ ...located, findings: shown }, colour)
      case 'github':
        return renderGithub({ ...located, findings: shown })
      case 'sarif':
        return renderSarif({ ...located, findings: shown })
      case 'json':
        return `${jsonText(located)}\n`
    }
  })
  return reaches(report.findings, options.failOn) ? ExitCode.findings : ExitCode.clean
}

async function analyse(names: readonly string[], settings: Settings, cwd: string) {
  const loaded: LoadedRules = await requireRules(diskTree, names, cwd, compileOptions(settings))
  const { limits } = compileOptions(settings)
  const rules = loaded.rules.map(({ rule }) => rule)
  return { rules: loaded.rules, report: lintReport(rules, limits === undefined ? {} : { limits }) }
}

function reaches(
  findings: readonly { readonly severity: FindingSeverity; readonly status: string }[],
  failOn: unknown,
) {
  const least = severities.indexOf(failOn as FindingSeverity)
  if (least < 0) return false
  return findings.some(({ severity, status }) => status === 'proved' && severities.indexOf(severity) >= least)
}

/** Whether a value of the rule contains `{{ … }}`. A field has such a value only if its token was not resolved. */
function comparesWithToken({ value, conditions }: Rule): boolean {
  const values = [value, ...(conditions ?? []).map((each) => each.value)]
  const texts = values.flatMap((each) => (Array.isArray(each) ? each : [each]))
  return texts.some((text) => typeof text === 'string' && tokenPaths(text, '').length > 0)
}
