/** The current findings as baseline entries, and the files for which they are complete. */
import { posix } from 'node:path'
import { type BaselineEntry, toEntry } from '../check/baseline-file.js'
import { type CheckPlan, reportUnmatched } from '../check/plan.js'
import { checkResults } from '../check/results.js'
import { ExitCode, type Invocation, type Io, UsageError } from '../command.js'
import { formatDiagnostic } from '../input/diagnostic.js'
import { highestExit } from '../program/exit-code.js'
import type { Log } from '../program/log.js'
import { createProgress } from '../program/progress.js'

export interface TodaysFindings {
  readonly entries: readonly BaselineEntry[]
  /** Files that were evaluated as a whole. What a broken file would report is unknown. */
  readonly completeFiles: ReadonlySet<string>
  readonly exitCode: number
}

export async function todaysFindings(
  plan: CheckPlan,
  invocation: Invocation,
  io: Io,
  log: Log,
): Promise<TodaysFindings> {
  if (plan.settings.policy.ref !== null)
    throw new UsageError('a baseline can be created only from the rules on disk', 'leave --policy-from out')
  const entries: BaselineEntry[] = []
  const completeFiles = new Set<string>()
  const codes = reportUnmatched(plan, log)
  const progress = createProgress(io, 'files', invocation.options.quiet === true)
  let done = 0
  for await (const result of checkResults(plan, io, '<stdin>')) {
    const rootFile = posix.join(plan.options.rootPrefix, result.file)
    if (result.problems.length === 0) completeFiles.add(rootFile)
    for (const problem of result.problems) {
      progress.clear()
      log.error(formatDiagnostic(problem))
      codes.push(ExitCode.notEvaluated)
    }
    for (const finding of result.findings) {
      if (finding.suppression === null) entries.push(toEntry(finding, rootFile))
    }
    progress.update(++done, plan.files.length)
  }
  progress.clear()
  for (const name of plan.missing) {
    log.error(`no such file or folder: ${name}`)
    codes.push(ExitCode.usage)
  }
  return { entries, completeFiles, exitCode: highestExit(codes) }
}
