/** SemVer order in the database: a text key that sorts in version order, and version ranges as conditions on it. */
import { and, eq, gt, gte, lt, lte, or, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { parse, Range, type SemVer } from 'semver'

const PAD = 16

/**
 * An ASCII text whose byte order is the precedence of SemVer 2.0 (11), which ignores build metadata. Numbers are padded
 * with zeros. An identifier ends with `!`, which sorts before every character of an identifier, and a release ends with
 * `~`, which sorts after everything else.
 */
export function versionKey(version: string): string {
  const { core, identifiers } = partsOf(version)
  const release = core.map((number) => number.padStart(PAD, '0')).join('.')
  if (identifiers === null) return `${release}~`
  return `${release}-${identifiers.map((each) => (/^[0-9]+$/.test(each) ? `0${each.padStart(PAD, '0')}!` : `1${each}!`)).join('')}`
}

function partsOf(version: string): { core: string[]; identifiers: string[] | null } {
  const [precedence = ''] = version.split('+')
  const dash = precedence.indexOf('-')
  const core = (dash === -1 ? precedence : precedence.slice(0, dash)).split('.')
  return { core, identifiers: dash === -1 ? null : precedence.slice(dash + 1).split('.') }
}

export const isRelease = (version: string): boolean => !(version.split('+')[0] ?? '').includes('-')

/**
 * An exact version or a range of versions; null when the text is neither. Pre-releases match as in npm: only if the
 * range names a pre-release of the same version.
 */
export function versionIs(columns: { version: SQLiteColumn; versionKey: SQLiteColumn }, text: string): SQL | null {
  if (parse(text) !== null && !text.startsWith('v')) return eq(columns.version, text)
  let range: Range
  try {
    range = new Range(text)
  } catch {
    return null
  }
  const sets = range.set.map((comparators) => {
    const bounds = comparators.flatMap(({ operator, semver }) => {
      // `*` has no version of its own.
      if (typeof semver.version !== 'string') return []
      const key = versionKey(semver.version)
      const { versionKey: column } = columns
      if (operator === '>=') return [gte(column, key)]
      if (operator === '>') return [gt(column, key)]
      if (operator === '<') return [lt(column, key)]
      if (operator === '<=') return [lte(column, key)]
      return [eq(column, key)]
    })
    return (
      and(
        ...bounds,
        preReleases(
          columns.versionKey,
          comparators.map(({ semver }) => semver),
        ),
      ) ?? sql`true`
    )
  })
  return or(...sets) ?? sql`true`
}

/** Releases, and pre-releases of a version of which the range names a pre-release. */
function preReleases(column: SQLiteColumn, named: readonly SemVer[]): SQL | undefined {
  const prefixes = named
    .filter(({ prerelease }) => (prerelease?.length ?? 0) > 0)
    .map(
      ({ major, minor, patch }) => `${[major, minor, patch].map((each) => String(each).padStart(PAD, '0')).join('.')}-`,
    )
  return or(
    sql`${column} LIKE '%~'`,
    ...prefixes.map((prefix) => and(gte(column, prefix), lt(column, `${prefix.slice(0, -1)}.`))),
  )
}
