/** Regular expressions from data: see `docs/guide/regular-expressions.md`. */
export type { RegexEngine } from './engine.js'
export { RegexEngineFault } from './fault.js'
export { createSafeRegex, type SafeRegexOptions } from './safe-regex.js'
