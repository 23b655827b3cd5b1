/**
 * `SafeRegex`: the only code that turns data into a pattern.
 *
 * INVARIANT: a pattern runs on `RegExp` only when `native-class.ts` proves that the search is linear. Every other
 * pattern runs on a linear-time engine or on its position automaton; there is no fallback. An adapter holds all its
 * state; nothing is global. Source: spec compliance 2.3.
 */

import type { CompiledPattern, RegexRefusal, SafeRegex } from '../types.js'
import { type AcceptedPattern, acceptPattern } from './accept.js'
import { foldSurrogates, toEcmaScript, toRe2 } from './emit.js'
import type { RegexCompiler, RegexEngine } from './engine.js'
import { RegexEngineFault } from './fault.js'
import { MAX_TEXT_UNITS } from './limits.js'
import { positionMatcher, re2js } from './positions/index.js'

export interface SafeRegexOptions {
  /** The linear-time engine; re2js by default. */
  readonly engine?: RegexEngine
  /** The most distinct patterns that this adapter may hold; by default the engine's `maxPatterns`. */
  readonly maxPatterns?: number
}

/**
 * Makes an adapter. It keeps every compiled pattern for as long as it exists. Make one for each rule set that comes and
 * goes. Share one only among rule sets that live equally long.
 */
export function createSafeRegex(options: SafeRegexOptions = {}): SafeRegex {
  const engine = options.engine ?? re2js
  const maxPatterns = options.maxPatterns ?? engine.maxPatterns
  const compiler = engine.open()
  const interned = new Map<string, CompiledPattern>()
  const accept = rememberingLast(acceptPattern)

  return {
    check(pattern, maxLength) {
      if (pattern.length > maxLength) return tooLong(pattern, maxLength)
      if (interned.has(pattern)) return null
      const result = accept(pattern)
      if ('refusal' in result) return result.refusal
      return interned.size < maxPatterns ? null : overBudget(maxPatterns)
    },
    cost(pattern) {
      const result = accept(pattern)
      return 'refusal' in result ? 0 : result.cost
    },
    compile(pattern) {
      const known = interned.get(pattern)
      if (known !== undefined) return known
      const result = accept(pattern)
      if ('refusal' in result) throw new RegexEngineFault(pattern, engine.name, result.refusal.message)
      if (interned.size >= maxPatterns) {
        throw new RegexEngineFault(pattern, engine.name, overBudget(maxPatterns).message)
      }
      const compiled = lazyPattern(pattern, result, engine.name, compiler)
      interned.set(pattern, compiled)
      return compiled
    },
  }
}

/**
 * Caches the last analysis. Compilation calls `check`, `cost` and `compile` for one pattern in turn, so it is analysed
 * once.
 */
function rememberingLast<T>(analyse: (pattern: string) => T): (pattern: string) => T {
  let last: string | undefined
  let result: T
  return (pattern) => {
    if (pattern !== last) {
      result = analyse(pattern)
      last = pattern
    }
    return result
  }
}

type Matcher = (text: string) => boolean

function lazyPattern(
  pattern: string,
  accepted: AcceptedPattern,
  name: RegexEngine['name'],
  compile: RegexCompiler,
): CompiledPattern {
  const engine = accepted.isNative ? 'native' : accepted.positions === null ? name : 'positions'
  let matcher: Matcher | undefined
  return {
    pattern,
    engine,
    test(text) {
      if (text.length > MAX_TEXT_UNITS) return false
      try {
        matcher ??= matcherOf(accepted, compile)
        return matcher(text)
      } catch (cause) {
        throw new RegexEngineFault(pattern, engine, 'the pattern could not be run', { cause })
      }
    },
  }
}

function matcherOf({ form, isNative, positions }: AcceptedPattern, compile: RegexCompiler): Matcher {
  if (positions !== null) return positionMatcher(positions)
  if (isNative) {
    const native = new RegExp(toEcmaScript(form))
    return (text) => native.test(text)
  }
  const program = compile(toRe2(form))
  return (text) => program(foldSurrogates(text))
}

function tooLong(pattern: string, maxLength: number): RegexRefusal {
  const message = `the pattern has ${pattern.length} characters, more than ${maxLength}`
  return { reason: 'too_long', message, position: maxLength }
}

function overBudget(maxPatterns: number): RegexRefusal {
  return { reason: 'budget', message: `more than ${maxPatterns} distinct patterns` }
}
