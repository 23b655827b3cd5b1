/** The rules of this example, and a copy with one of them changed. */
import { readFileSync } from 'node:fs'
import { parse } from 'yaml'

/** @returns {readonly import('@plumbline/engine').Rule[]} */
export function loadRules() {
  return parse(readFileSync(new URL('../rules/plugins.yaml', import.meta.url), 'utf8')).rules
}

/** @param {string} name @param {Partial<import('@plumbline/engine').Rule>} change */
export function rulesWith(name, change) {
  return loadRules().map((rule) => (rule.name === name ? { ...rule, ...change } : rule))
}
