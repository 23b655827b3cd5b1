/** What is wrong with a specification, with its location. */

export interface ManifestIssue {
  /** Name of the file in the archive. */
  readonly file: string
  /** Counted from 1; null where the issue has no location. */
  readonly line: number | null
  readonly column: number | null
  /** JSON pointer in the file. */
  readonly pointer: string
  readonly message: string
  readonly code: string
}

export class ManifestFault extends Error {
  readonly issues: readonly ManifestIssue[]

  constructor(issues: readonly ManifestIssue[]) {
    super(issues[0]?.message ?? 'the specification is refused')
    this.name = 'ManifestFault'
    this.issues = issues.slice(0, 100)
  }
}
