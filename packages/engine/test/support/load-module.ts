/** Runs the source of a standalone module in tests, in this realm or in an empty one. */

import { createContext, runInContext, runInThisContext } from 'node:vm'
import { RE2JS } from 're2js'
import type { Attributes, Evaluation, EvaluationContext } from '../../src/types.js'

export type Evaluate = (attributes: Attributes, context?: EvaluationContext) => Evaluation

/** The module's `evaluate`, in this realm. `RE2JS` stands in for the import, if there is one. */
export function loadModule(source: string): Evaluate {
  const load: (re2js: unknown) => Evaluate = runInThisContext(`((RE2JS) => { "use strict"; ${asScript(source)} })`)
  return load(RE2JS)
}

/** The module's verdict as JSON text, in a realm that has no Node globals and makes no code from strings. */
export function loadIsolated(source: string): (attributes: string, context?: string) => string {
  const realm = createContext(Object.create(null), { codeGeneration: { strings: false, wasm: false } })
  runInContext(`globalThis.evaluate = (() => { "use strict"; ${asScript(source)} })()`, realm)
  return (attributes, context) =>
    runInContext(`JSON.stringify(evaluate(${attributes}${context === undefined ? '' : `, ${context}`}))`, realm)
}

/** A module without its import and export is a script. */
function asScript(source: string): string {
  return `${source.replace(/^import .*$/m, '').replace(/^export function evaluate/m, 'function evaluate')}\nreturn evaluate`
}
