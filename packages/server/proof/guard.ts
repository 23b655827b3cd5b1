/**
 * A guard: a place that keeps organizations apart, callers within their permissions or the product to its word. The
 * comment `// guard: <name>` marks it in the source, so that files move and are renamed freely; the list says what a
 * careless change would do there, and which test must notice.
 */
export interface Guard {
  /** The name of the marker, in kebab-case. */
  readonly name: string
  readonly change: Change
  /** The end of the path of a test, without `.test.ts`; or a run that is not a test of vitest. */
  readonly test: string
}

/**
 * What is changed is the statement, the operand, the member or the element of a list that follows the marker.
 *
 * - `drop` takes it out.
 * - `value` gives it another value: the condition of an `if`, what a function returns, what a name is set to.
 * - `swap` replaces the first place in it where `find` stands.
 * - `each` makes several changes in it: either guard would hold alone.
 * - `quote` is for what no comment can mark: it names a file below `packages/server` and text that is there once.
 */
export type Edited =
  | { readonly kind: 'drop' }
  | { readonly kind: 'value'; readonly put: string }
  | { readonly kind: 'swap'; readonly find: string; readonly put: string }
export type Change =
  | Edited
  | { readonly kind: 'each'; readonly parts: readonly Edited[] }
  | { readonly kind: 'quote'; readonly file: string; readonly find: string; readonly put: string }

export const drop: Edited = { kind: 'drop' }
export const value = (put: string): Edited => ({ kind: 'value', put })
export const never = value('false')
export const always = value('true')
export const swap = (find: string, put: string): Edited => ({ kind: 'swap', find, put })
export const cut = (find: string): Edited => swap(find, '')
export const each = (...parts: readonly Edited[]): Change => ({ kind: 'each', parts })
/** The reason is for the reader: why a comment cannot mark it. */
export const quote = (_reason: string, file: string, find: string, put: string): Change => ({
  ...{ kind: 'quote', file, find, put },
})

/** Every operation, called by everybody with the names of others. */
export const ISOLATION = 'isolation'
/** Verdicts over HTTP against the oracle. */
export const VERDICTS = 'verdicts:'
/** A server that is killed while it sends. */
export const KILLS = 'kills:'

/** Programs in the sandbox of builds; those whose name has the text. */
const HOSTILE = 'hostile: '
export const hostile = (name: string): HostileRun => `${HOSTILE}${name}`
export type HostileRun = `${typeof HOSTILE}${string}`
export const isHostile = (test: string): test is HostileRun => test.startsWith(HOSTILE)
export const nameOfHostile = (test: HostileRun): string => test.slice(HOSTILE.length)

/** What is not a test of vitest. */
const RUNS = [ISOLATION, VERDICTS, KILLS] as const
export type Run = (typeof RUNS)[number]
const isNamedRun = (test: string): test is Run => RUNS.some((run) => run === test)
export const isRun = (test: string): test is Run | HostileRun => isNamedRun(test) || isHostile(test)

export const guard = (name: string, change: Change, test: string): Guard => ({ name, change, test })
