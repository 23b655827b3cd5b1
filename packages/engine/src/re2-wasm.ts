/**
 * An optional engine for short-lived processes: Google's RE2 compiled to WebAssembly.
 *
 * Its heap is 16 MB for the whole process and is never freed. After 800 to 2,500 patterns it is exhausted, and every
 * pattern then throws `RegexEngineFault`. `maxPatterns` is well below that, for each adapter; make one adapter for each
 * process.
 */

import { RE2 } from 're2-wasm'
import type { RegexEngine } from './regex/engine.js'

export type { RegexEngine } from './regex/engine.js'

export const re2Wasm: RegexEngine = {
  name: 're2-wasm',
  maxPatterns: 500,
  open: () => (source) => {
    // re2-wasm requires the flag `u`. It changes nothing here, because texts contain whole code points only.
    const program = new RE2(alignWordAssertions(source), 'u')
    return (text) => program.test(text)
  },
}

/**
 * Makes `\B` match only between characters. This RE2 reads UTF-8 and lets `\B` match between the bytes of one
 * character, so that `\B` alone matches inside "é" in "aéb".
 *
 * The prefix consumes the character before the match, or matches the start of the text. Only places between characters
 * are left. A search for the longer pattern succeeds exactly when a search for the original pattern does.
 */
function alignWordAssertions(source: string): string {
  return source.includes('\\B') ? `(?:\\A|[\\x{0}-\\x{10ffff}])(?:${source})` : source
}
