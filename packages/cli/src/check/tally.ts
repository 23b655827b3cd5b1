/** Counts what a run finds, and computes its exit code at the end. */
import type { Target } from '@plumbline/engine'
import { ExitCode } from '../command.js'
import { highestExit } from '../program/exit-code.js'
import { type FileResult, reachesSeverity } from '../report/finding.js'
import type { RunSummary } from '../report/reporter.js'
import type { Baseline } from './baseline-file.js'
import type { Seen } from './unused-exemptions.js'

export class Tally {
  private files = 0
  private entities = 0
  private findings = 0
  private filesWithFindings = 0
  private exempted = 0
  private hiddenByBaseline = 0
  private notEvaluated = 0
  private reachesFailOn = false
  private readonly bySeverity: Record<string, number> = {}
  private readonly seenFingerprints = new Set<string>()
  private readonly checkedFiles = new Set<string>()
  readonly targets = new Set<Target>()
  readonly names = new Set<string>()
  /** Ids of the exemptions that matched an entity, and of those that waived a violation. */
  readonly covering = new Set<string>()
  readonly applied = new Set<string>()

  constructor(
    private readonly failOn: string,
    private readonly rootFile: (file: string) => string,
  ) {}

  /** Whether files were read, all without a problem, and none of them held an entity. */
  get isWithoutEntities(): boolean {
    return this.files > 0 && this.entities === 0 && this.notEvaluated === 0
  }

  add(result: FileResult): void {
    this.files++
    this.entities += result.entities.length
    this.notEvaluated += result.problems.length
    this.checkedFiles.add(this.rootFile(result.file))
    for (const { target, name } of result.entities) {
      this.targets.add(target)
      this.names.add(name)
    }
    for (const id of result.covering) this.covering.add(id)
    let active = 0
    for (const { suppression, severity, fingerprint } of result.findings) {
      if (suppression?.kind === 'exemption') {
        this.exempted++
        if (suppression.id !== null) this.applied.add(suppression.id)
      } else this.seenFingerprints.add(fingerprint)
      if (suppression?.kind === 'baseline') this.hiddenByBaseline++
      if (suppression !== null) continue
      active++
      this.bySeverity[severity] = (this.bySeverity[severity] ?? 0) + 1
      if (reachesSeverity(severity, this.failOn)) this.reachesFailOn = true
    }
    this.findings += active
    if (active > 0) this.filesWithFindings++
  }

  /** What the messages about unused exemptions need. */
  get seen(): Seen {
    return { names: this.names, entities: this.entities, covering: this.covering, applied: this.applied }
  }

  /** @param other the exit codes of problems apart from the findings. */
  summary(
    rules: number,
    baseline: Baseline | null,
    other: readonly number[],
    durationMs: number,
    unusedExemptions: readonly string[],
  ): RunSummary {
    const entries = baseline?.entries ?? []
    const stale = entries.filter(
      ({ file, fingerprint }) => this.checkedFiles.has(file) && !this.seenFingerprints.has(fingerprint),
    )
    const { files, entities, findings, bySeverity, filesWithFindings, exempted, hiddenByBaseline, notEvaluated } = this
    const exitCode = highestExit([
      ...other,
      notEvaluated > 0 ? ExitCode.notEvaluated : ExitCode.clean,
      this.reachesFailOn ? ExitCode.findings : ExitCode.clean,
    ])
    return {
      files,
      entities,
      rules,
      findings,
      bySeverity,
      filesWithFindings,
      exempted,
      hiddenByBaseline,
      staleBaseline: stale.length,
      unusedExemptions,
      notEvaluated,
      exitCode,
      durationMs,
    }
  }
}
