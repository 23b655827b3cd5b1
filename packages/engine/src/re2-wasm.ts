/**
 * The second engine, for short-lived processes: Google's RE2 compiled to WebAssembly.
 *
 * Its heap is 16 MB for the whole process and is never freed: 800 to 2,500 patterns end it, which then shows as a
 * `RegexEngineFault` of every pattern. `maxPatterns` stays well below, per adapter; make one adapter per process.
 */

import { RE2 } from 're2-wasm'
import type { RegexEngine } from './regex/engine.js'

export type { RegexEngine } from './regex/engine.js'

export const re2Wasm: RegexEngine = {
  name: 're2-wasm',
  maxPatterns: 500,
  open: () => (source) => {
    // The flag is obligatory and changes nothing here: texts hold whole code points only.
    const program = new RE2(alignWordAssertions(source), 'u')
    return (text) => program.test(text)
  },
}

/**
 * This RE2 reads UTF-8 and lets `\B` hold between the bytes of one character, so that `\B` alone finds a place in "aéb".
 * Taking the character before the match, or the start of the text, leaves only places between characters; a search for
 * the longer pattern succeeds exactly when the search for the pattern does.
 */
function alignWordAssertions(source: string): string {
  return source.includes('\\B') ? `(?:\\A|[\\x{0}-\\x{10ffff}])(?:${source})` : source
}
