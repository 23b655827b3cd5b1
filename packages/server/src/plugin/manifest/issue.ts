/** What is wrong with a specification, and where. */

export interface ManifestIssue {
  /** The file in the archive. */
  readonly file: string
  /** From 1; null where a place has no meaning. */
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
