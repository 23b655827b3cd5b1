/**
 * The default engine: RE2 in JavaScript. Programs are ordinary objects, so they are freed with the rule set.
 *
 * Each program caches the states of its automaton, by default up to 8 MiB. A rule set may have 5,000 programs, and a
 * text can be written to fill the cache of each. So a program gets a smaller cache here, and all programs of one
 * adapter share a bound. When the bound is reached, every cache is cleared. This costs time on such texts only and
 * never changes a verdict.
 */

import { RE2JS } from 're2js'
import type { RegexEngine } from './engine.js'

const PROGRAM_CACHE_BYTES = 1024 * 1024
const ADAPTER_CACHE_BYTES = 64 * 1024 * 1024

export const re2js: RegexEngine = {
  name: 're2js',
  maxPatterns: 5000,
  open() {
    const automata: { memBudget: number; clearCache(): void }[] = []
    let cachedBytes = 0
    return (source) => {
      const program = RE2JS.compile(source)
      const automaton = program.re2().dfa
      automaton.stateBudget = PROGRAM_CACHE_BYTES
      automaton.memBudget = PROGRAM_CACHE_BYTES
      automata.push(automaton)
      return (text) => {
        const before = automaton.memBudget
        const matched = program.test(text)
        cachedBytes += before - automaton.memBudget
        if (cachedBytes > ADAPTER_CACHE_BYTES) {
          for (const each of automata) each.clearCache()
          cachedBytes = 0
        }
        return matched
      }
    }
  },
}
