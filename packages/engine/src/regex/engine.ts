/**
 * The port of a linear-time engine: it takes a pattern in RE2 syntax and returns a function from text to verdict.
 *
 * The adapter passes only patterns in the normal form of `toRe2`, and only texts that `foldSurrogates` returned.
 */

export interface RegexEngine {
  readonly name: 're2js' | 're2-wasm'
  /** The most distinct patterns of one adapter, unless the caller sets `maxPatterns`. */
  readonly maxPatterns: number
  /** Starts a compiler whose programs share one memory bound. Each adapter opens its own. */
  open(): RegexCompiler
}

/** Compiles a source. The compiler and its programs may throw; the adapter then reports an engine fault. */
export type RegexCompiler = (source: string) => (text: string) => boolean
