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
  /** Below `packages/server`; or a run that is no test of vitest. */
  readonly test: string
}

/** Every operation, called by everybody with the names of others. */
export const ISOLATION = 'isolation'
/** Verdicts over HTTP against the oracle. */
export const VERDICTS = 'verdicts'
/** A server that is killed while it tells. */
export const KILLS = 'kills:'

/** What is no test of vitest. */
const RUNS = [ISOLATION, VERDICTS, KILLS] as const
export type Run = (typeof RUNS)[number]
export const isRun = (test: string): test is Run => RUNS.some((run) => run === test)

export const guard = (name: string, file: string, find: string, replace: string, test: string): Guard => ({
  name,
  file: `${file}.ts`,
  find,
  replace,
  test: test === ISOLATION ? test : `${test}.test.ts`,
})
