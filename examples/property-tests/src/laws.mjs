/**
 * What these rules guarantee for every possible plugin. A law is a fast-check property of a list of rules, so that
 * tests can check it for the rules, and for rules with a mistake in them.
 */
import { compileRules } from '@plumbline/engine'
import { anyAttributes, satisfying, violating } from '@plumbline/engine/testing'
import fc from 'fast-check'

const context = { target: 'plugin' }
const violated = (ruleSet, plugin) => ruleSet.evaluate(plugin, context).violations.map(({ ruleName }) => ruleName)

/** A plugin that runs as root is always blocked, whatever else it contains. */
export function rootIsAlwaysBlocked(rules) {
  const ruleSet = compileRules(rules)
  const root = fc.constantFrom(true, 'true', [true], { value: true })
  return fc.property(anyAttributes(rules), root, (plugin, usesRootUser) => {
    return ruleSet.evaluate({ ...plugin, usesRootUser }, context).blocked
  })
}

/** An image is not accepted just because our registry is named somewhere in it. */
export function foreignImagesAreAlwaysBlocked(rules) {
  const ruleSet = compileRules(rules)
  const host = fc.constantFrom('images.example.net', 'registry.example.com.example.net', 'registryxexample.com')
  const path = fc.constantFrom('node:20', 'registry.example.com/node:20', '@registry.example.com/node')
  return fc.property(anyAttributes(rules), host, path, (plugin, hostName, name) => {
    return ruleSet.evaluate({ ...plugin, image: `${hostName}/${name}` }, context).blocked
  })
}

/** Every timeout between the bounds is accepted, and every one beyond them is refused. */
export function timeoutsAreAcceptedFromOneToSixty(rules) {
  const ruleSet = compileRules(rules)
  return fc.property(fc.integer({ min: -10, max: 10_000 }), (timeout) => {
    const isAccepted = !violated(ruleSet, { timeout }).includes('timeout-bounded')
    return isAccepted === (timeout >= 1 && timeout <= 60)
  })
}

/** A plugin without a required field is always blocked, so leaving one out never helps. */
export function leavingOutNeverHelps(rules) {
  const ruleSet = compileRules(rules)
  return fc.property(anyAttributes(rules), fc.constantFrom('timeout', 'version'), (plugin, field) => {
    const { [field]: _, ...without } = plugin
    return ruleSet.evaluate(without, context).blocked
  })
}

/** Each rule can be satisfied and can be violated: none blocks every plugin, and none blocks no plugin. */
export function ruleCanBeHeldAndBroken(rules, rule) {
  const ruleSet = compileRules(rules)
  const base = { name: 'build', version: '1.0.0', timeout: 5 }
  return fc.property(satisfying(rule, base, rules), violating(rule, base, rules), (good, bad) => {
    return !violated(ruleSet, good).includes(rule.name) && violated(ruleSet, bad).includes(rule.name)
  })
}

/** What the old rules block, the new rules block too: the law for a change that must be stricter. */
export function neverLaxer(before, after) {
  const [old, changed] = [compileRules(before), compileRules(after)]
  return fc.property(anyAttributes([...before, ...after]), (plugin) => {
    return !old.evaluate(plugin, context).blocked || changed.evaluate(plugin, context).blocked
  })
}
