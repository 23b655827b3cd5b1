/**
 * A problem with something that a command read: which file, where, what is wrong, and how to fix it.
 * Rules, configuration, exemptions and entity files all report problems this way.
 */
import { UsageError } from '../command.js'
import type { Position } from './position.js'

export interface Diagnostic {
  readonly file: string
  readonly position?: Position
  /** The field or JSON pointer the problem is about. */
  readonly field?: string
  readonly message: string
  readonly fix?: string
}

/** `rules/a.yaml:3:7: operator: unknown operator; use one of …` */
export function formatDiagnostic({ file, position, field, message, fix }: Diagnostic): string {
  const place = position ? `${file}:${position.line}:${position.column}` : file
  return `${place}: ${field ? `${field}: ` : ''}${message}${fix ? `; ${fix}` : ''}`
}

/** Wrong rule, configuration, exemption or baseline files: exit 2 with every problem at once. */
class InvalidFileError extends UsageError {
  constructor(
    what: string,
    readonly diagnostics: readonly Diagnostic[],
  ) {
    const files = new Set(diagnostics.map((diagnostic) => diagnostic.file)).size
    const count = diagnostics.length === 1 ? 'a problem' : `${diagnostics.length} problems`
    super(
      `${count} in ${files === 1 ? `${/^[aeiou]/.test(what) ? 'an' : 'a'} ${what} file` : `${files} ${what} files`}`,
      undefined,
      diagnostics.map(formatDiagnostic),
    )
    this.name = 'InvalidFileError'
  }
}

/** Throws if there is any problem. Files keep their order; the problems of each are sorted from top to bottom. */
export function refuseProblems(what: string, diagnostics: readonly Diagnostic[]): void {
  if (diagnostics.length === 0) return
  const files = [...new Set(diagnostics.map(({ file }) => file))]
  const ordered = [...diagnostics].sort(
    (left, right) =>
      files.indexOf(left.file) - files.indexOf(right.file) ||
      (left.position?.line ?? 0) - (right.position?.line ?? 0) ||
      (left.position?.column ?? 0) - (right.position?.column ?? 0),
  )
  throw new InvalidFileError(what, ordered)
}
