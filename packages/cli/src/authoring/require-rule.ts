/** The rule that a person named on the command line. */
import { nearestWord } from '@plumbline/engine/words'
import { UsageError } from '../command.js'
import { findRule, type LoadedRule, ruleId } from '../input/rules.js'

/** Throws `UsageError` with the nearest name, or with the ids of several rules that have the name. */
export function requireRule(name: string, rules: readonly LoadedRule[]): LoadedRule {
  const found = findRule(rules, name)
  if (found !== null) return found
  const names = rules.map(({ rule }) => rule.name)
  if (names.includes(name)) {
    const ids = rules.filter(({ rule }) => rule.name === name).map(({ rule }) => `\`${ruleId(rule)}\``)
    throw new UsageError(`several rules are called \`${name}\``, `name one by its id: ${ids.join(', ')}`)
  }
  const near = nearestWord(name, names)
  if (near !== null) throw new UsageError(`no rule is called \`${name}\`, did you mean \`${near}\`?`)
  const listed = `${names.slice(0, 10).join(', ')}${names.length > 10 ? ', …' : ''}`
  throw new UsageError(
    `no rule is called \`${name}\``,
    listed === '' ? 'there are no rules' : `the rules are ${listed}`,
  )
}
