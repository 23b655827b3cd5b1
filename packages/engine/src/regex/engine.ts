/**
 * The port of a linear-time engine: takes RE2 syntax, gives a function from text to verdict.
 *
 * The adapter hands over only patterns in the normal form of `toRe2` and texts that went through `foldSurrogates`.
 */

export interface RegexEngine {
  readonly name: 're2js' | 're2-wasm'
  /** Distinct patterns that one adapter may hold when the caller does not say. */
  readonly maxPatterns: number
  /** Starts a compiler whose programs share one bound of memory. Each adapter opens its own. */
  open(): RegexCompiler
}

/** Compiles a source. It and its programs may throw: the adapter reports an engine fault. */
export type RegexCompiler = (source: string) => (text: string) => boolean
