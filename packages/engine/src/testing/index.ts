/** `@plumbline/engine/testing`: fast-check arbitraries for property tests of rules. Needs fast-check 4. */
export { anyAttributes } from './any-attributes.js'
export { type AnyRuleOptions, type AnyRuleSetOptions, anyRule, anyRuleSet, readableFields } from './any-rule.js'
export { NoSuchAttributes, satisfying, violating } from './satisfying.js'
