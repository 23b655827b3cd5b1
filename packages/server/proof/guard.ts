/**
 * A line that keeps organizations apart, callers in their place or the product to its word, with what a careless change
 * would leave in its place.
 */
export interface Guard {
  readonly name: string
  /** Below `packages/server/src`. */
  readonly file: string
  readonly find: string
  readonly replace: string
  /** Below `packages/server`; or the isolation run, which looks at all operations, or the run of verdicts. */
  readonly test: string
}

export const ISOLATION = 'isolation'

export const guard = (name: string, file: string, find: string, replace: string, test: string): Guard => ({
  name,
  file: `${file}.ts`,
  find,
  replace,
  test: test === ISOLATION ? test : `${test}.test.ts`,
})
