/**
 * Thrown for a migration that the database refused: which one, at which statement, in what state the database is, and
 * what to do.
 */

export interface FailedStep {
  /** Such as `SQLite /data/plumbline.db` or `PostgreSQL plumbline at db:5432`. */
  readonly database: string
  readonly migration: { readonly version: number; readonly name: string; readonly statements: readonly string[] }
  /**
   * The index of the statement. For the row that records the migration it is the number of statements; for COMMIT it is
   * null.
   */
  readonly at: number | null
  /** Schema version before this start; 0 for an empty database. */
  readonly before: number
  /** Versions that this start applied already, each in a transaction of its own. */
  readonly applied: readonly number[]
}

const LINE_CHARS_MAX = 120
/** An SQLSTATE: the user lacks the right. */
const LACKS_A_RIGHT = '42501'
/** The connection broke, so it is unknown whether a running COMMIT was carried out. */
const CONNECTION_LOST = /^(08...|57P0[123]|ECONN\w+|EPIPE|ETIMEDOUT)$/

/** The message is for the operator, unchanged: several lines without a stack. */
export class MigrationFailed extends Error {
  constructor(step: FailedStep, cause: unknown) {
    super([failedAt(step), saying(cause), left(step, cause)].join('\n'), { cause })
    this.name = 'MigrationFailed'
  }
}

function failedAt({ database, migration, at }: FailedStep): string {
  const { version, name, statements } = migration
  const what = `migration ${version} \`${name}\` of the database ${database} failed`
  if (at === null) return `${what} at its COMMIT`
  const statement = statements[at]
  if (statement === undefined) return `${what} when it was recorded in schema_migrations`
  return `${what} at statement ${at + 1} of ${statements.length}: ${firstLine(statement)}`
}

/** The first line that is not a comment. */
function firstLine(statement: string): string {
  const line =
    statement
      .split('\n')
      .map((each) => each.trim())
      .find((each) => each !== '' && !each.startsWith('--')) ?? ''
  return line.length > LINE_CHARS_MAX ? `${line.slice(0, LINE_CHARS_MAX)}…` : line
}

const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code ?? '')

/** The driver's message without its details, which contain values of rows. */
function saying(cause: unknown): string {
  const code = codeOf(cause)
  const advice = code === LACKS_A_RIGHT ? ': the user of DATABASE_URL needs this right' : ''
  const message = cause instanceof Error ? cause.message : String(cause)
  return `the database says: ${message}${code === '' ? '' : ` (${code})`}${advice}`
}

function left({ at, before, applied }: FailedStep, cause: unknown): string {
  const now = applied.at(-1) ?? before
  const stands = now === 0 ? 'the database is empty as before' : `the database is at schema version ${now}`
  if (at === null && CONNECTION_LOST.test(codeOf(cause))) {
    return `the connection broke before the answer, so it is either kept as a whole or not at all (${stands} if not): start this release again, it sees which`
  }
  const kept = `nothing of this migration was kept: ${stands}`
  if (applied.length > 0) {
    const versions = `${applied.length === 1 ? 'migration' : 'migrations'} ${applied.join(', ')}`
    const back = before === 0 ? '' : '; to go back to the release before, restore the backup from before the upgrade'
    return `${kept}, because ${versions} of this start ${applied.length === 1 ? 'stays' : 'stay'}. Remove the cause and start this release again${back}`
  }
  if (before === 0) return `${kept}. Remove the cause and start again`
  return `${kept}, as before this start. Remove the cause and start this release again, or start the release that ran before: it still fits`
}
