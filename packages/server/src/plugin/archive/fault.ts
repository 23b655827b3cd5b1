/**
 * What is wrong with an archive. The messages are public: they show entry names as in the archive, shortened and
 * escaped.
 */

export type ArchiveCode =
  | 'not_zip'
  | 'truncated'
  | 'structure'
  | 'overlap'
  | 'header_mismatch'
  | 'zip64'
  | 'too_many_entries'
  | 'too_large'
  | 'ratio'
  | 'encrypted'
  | 'method'
  | 'name'
  | 'traversal'
  | 'absolute'
  | 'duplicate'
  | 'case_clash'
  | 'link'
  | 'device'
  | 'content'
  | 'time'
  | 'text'

export interface ArchiveIssue {
  readonly code: ArchiveCode
  readonly message: string
}

const ISSUES_MAX = 20

export class ArchiveFault extends Error {
  readonly issues: readonly ArchiveIssue[]

  constructor(issues: readonly ArchiveIssue[]) {
    super(issues[0]?.message ?? 'the archive is refused')
    this.name = 'ArchiveFault'
    this.issues = issues.slice(0, ISSUES_MAX)
  }
}

export const fault = (code: ArchiveCode, message: string): ArchiveFault => new ArchiveFault([{ code, message }])

/** A name for a message: quoted, control characters escaped, at most one line long. */
export function shown(name: string): string {
  const cut = name.length > 100 ? `${name.slice(0, 100)}…` : name
  return JSON.stringify(cut).replaceAll(
    /[\u007f-\u009f\p{Cf}]/gu,
    (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
