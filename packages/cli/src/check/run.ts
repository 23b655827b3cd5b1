/** Runs `plumbline check`: plan, evaluate, report, exit code. */
import { posix } from 'node:path'
import { type CommandRun, ExitCode, type Invocation, type Io } from '../command.js'
import { formatDiagnostic } from '../input/diagnostic.js'
import { displayPath, strayText } from '../input/find-files.js'
import { ruleId } from '../input/rules.js'
import { createLog, type Log } from '../program/log.js'
import { createProgress } from '../program/progress.js'
import { version } from '../program/version.js'
import type { FileResult } from '../report/finding.js'
import { exemptionsNote, type RunInfo, summaryLine } from '../report/reporter.js'
import { isWhole, type View, viewOf } from '../report/view.js'
import { LeftToWrite } from './left-to-write.js'
import { namesText } from './names-text.js'
import { defaultFormats, openOutputs } from './outputs.js'
import { type CheckPlan, planCheck, reportUnmatched } from './plan.js'
import { checkResults } from './results.js'
import { Tally } from './tally.js'
import { UnknownKeys } from './unknown-keys.js'
import { idleAfter, idleText } from './unused-exemptions.js'

export const run: CommandRun = async (invocation, io) => {
  const startedMs = performance.now()
  const log = createLog(invocation, io)
  const isQuiet = invocation.options.quiet === true
  const plan = await planCheck(invocation, io, log)
  const { settings, baseline } = plan
  const { value: formats, base } = settings.format
  const opened = await openOutputs(formats.length > 0 ? formats : defaultFormats(io), io, base)
  const view = viewAsked(invocation)
  const outputs = isWhole(view)
    ? opened
    : opened.map((output) =>
        FOR_PEOPLE.has(output.format) ? { ...output, reporter: viewOf(output.reporter, view) } : output,
      )
  const info = runInfo(plan, io)
  const tally = new Tally(info.failOn, (file) => posix.join(info.rootPrefix, file))
  const unknownKeys = new UnknownKeys()
  const left = new LeftToWrite()
  const waiting = new Set<string>()
  const accepted = new Set(baseline?.entries.map((entry) => entry.fingerprint))
  const progress = createProgress(io, 'files', isQuiet)
  const stdinName = typeof invocation.options.stdinFilename === 'string' ? invocation.options.stdinFilename : '<stdin>'

  try {
    for (const output of outputs) await output.write(output.reporter.begin(info))
    let done = 0
    for await (const raw of checkResults(plan, io, stdinName)) {
      const result = hideAccepted(raw, accepted)
      tally.add(result)
      unknownKeys.add(result)
      left.add(result)
      for (const name of result.waiting) waiting.add(name)
      for (const warning of result.warnings) {
        progress.clear()
        log.warn(formatDiagnostic(warning))
      }
      for (const output of outputs) {
        const text = output.reporter.file(result)
        if (text !== '' && output.isStdout) progress.clear()
        await output.write(text)
      }
      progress.update(++done, plan.files.length)
    }
    progress.clear()
    const usage = reportAround(plan, tally, invocation.options.failOnNoRules === true, log, io.cwd)
    for (const line of [...unknownKeys.lines(), ...left.lines(plan.rules.ruleSet.rules)]) log.note(line)
    if (waiting.size > 0) log.note(waitingText(waiting))
    const idle = [...plan.idleExemptions, ...idleExemptions(plan, tally, invocation.options.since !== undefined)]
    for (const each of idle.slice(plan.idleExemptions.length)) log.warn(idleText(each))
    const rules = info.rules.filter((rule) => tally.targets.has(rule.target)).length
    const unused = [...new Set(idle.map(({ id }) => id))]
    const summary = tally.summary(rules, baseline, usage, performance.now() - startedMs, unused)
    for (const output of outputs) {
      await output.write(output.reporter.end(summary))
      await output.complete()
    }
    if (!outputs.some((output) => output.isStdout) && !isQuiet) io.stderr.write(`${summaryLine(summary)}\n`)
    return summary.exitCode
  } catch (error) {
    for (const output of outputs) await output.discard()
    throw error
  }
}

const FOR_PEOPLE: ReadonlySet<string> = new Set(['pretty', 'compact'])

function waitingText(waiting: ReadonlySet<string>): string {
  const what = waiting.size === 1 ? 'this rule needs' : 'these rules need'
  return `${what} a built image: ${namesText(waiting)}; the server judges it before it publishes the image`
}

function viewAsked({ options }: Invocation): View {
  return {
    only: typeof options.only === 'string' ? options.only : null,
    most: typeof options.maxFindings === 'number' ? options.maxFindings : Number.POSITIVE_INFINITY,
    byRule: options.groupBy === 'rule',
  }
}

/** If only a part of the files is checked, an exemption that looks unused may be for the other files. */
const idleExemptions = ({ exemptions, idleExemptions: known }: CheckPlan, { seen }: Tally, isPart: boolean) =>
  isPart ? [] : idleAfter(exemptions, known, seen)

function runInfo(plan: CheckPlan, io: Io): RunInfo {
  const { settings, options, policy, baseline, rules } = plan
  const live = new Set(rules.ruleSet.rules)
  return {
    version,
    asOf: options.now,
    rules: rules.rules
      .filter(({ rule }) => live.has(rule))
      .map(({ rule }) => ({
        id: ruleId(rule),
        name: rule.name,
        description: rule.description ?? null,
        severity: rule.severity ?? 'error',
        target: rule.target,
        tags: rule.tags ?? [],
      })),
    failOn: settings.failOn.value,
    policy,
    hasBaseline: baseline !== null,
    rootPrefix: options.rootPrefix,
    colour: io.colour,
    columns: io.columns,
  }
}

/** A finding that the baseline accepts is kept and marked as suppressed, so that machine formats include it. */
function hideAccepted(result: FileResult, accepted: ReadonlySet<string>): FileResult {
  if (accepted.size === 0) return result
  const findings = result.findings.map((finding) => {
    if (finding.suppression !== null || !accepted.has(finding.fingerprint)) return finding
    return { ...finding, suppression: { kind: 'baseline' as const, id: null, reason: null, expiresAt: null } }
  })
  return { ...result, findings }
}

/** Reports what was wrong apart from the findings, and returns the exit codes for it. */
function reportAround(plan: CheckPlan, tally: Tally, failOnNoRules: boolean, log: Log, cwd: string): number[] {
  const codes: number[] = []
  for (const name of plan.missing) {
    log.error(`no such file or folder: ${name}`)
    codes.push(ExitCode.usage)
  }
  for (const { path, leads } of plan.strays) {
    log.error(`${displayPath(cwd, path)} ${strayText(leads)}`)
    codes.push(ExitCode.notEvaluated)
  }
  codes.push(...reportUnmatched(plan, log))
  if (tally.isWithoutEntities && plan.settings.noMatch.value === 'fail') {
    log.error('no plugin and no pipeline was found in these files: nothing was checked')
    codes.push(ExitCode.usage)
  }
  const covered = new Set(plan.rules.ruleSet.rules.map((rule) => rule.target))
  for (const target of tally.targets) {
    if (covered.has(target)) continue
    const message = `no rule applies to ${target}s: they were read, but not checked`
    if (failOnNoRules || plan.settings.failOnNoRules.value) {
      log.error(message)
      codes.push(ExitCode.usage)
    } else log.warn(message)
  }
  for (const { kind, file, change } of plan.policy?.changes ?? []) {
    log.note(`${kind} ${change} by this change: ${file}; the policy of ${plan.policy?.ref} is in force`)
  }
  const note = plan.policy === null ? null : exemptionsNote(plan.policy)
  if (note !== null) log.note(note)
  return codes
}
